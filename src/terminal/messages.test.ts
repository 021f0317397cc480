import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createMessages } from './messages.ts';
import { createSecrets } from './secrets.ts';

const secrets = createSecrets();

function said(settings: { quiet: boolean; debug: boolean }, line: string): string {
  const stream = new PassThrough({ encoding: 'utf8' });
  const messages = createMessages({
    stream,
    outputIsTerminal: false,
    color: false,
    settings,
    secrets,
  });
  const progress = messages.progress('loading');
  messages.note(`note ${line}`);
  messages.warn(`warn ${line}`);
  messages.debug(`debug ${line}`);
  messages.error(`error ${line}`);
  progress.update('still loading');
  progress.stop();
  return String(stream.read());
}

test.each([
  [{ quiet: false, debug: false }, 'note x\nwarning: warn x\nerror x\n'],
  [{ quiet: false, debug: true }, 'note x\nwarning: warn x\ndebug: debug x\nerror x\n'],
  [{ quiet: true, debug: true }, 'error x\n'],
])('with %j', (settings, text) => {
  expect(said(settings, 'x')).toBe(text);
});

test('drops control characters', () => {
  const text = said({ quiet: false, debug: true }, '\x1b]0;t\x07\x1b[31ma\u202eb\x9b2Jc\r\nd');
  expect(text).toMatch(/^error abc\nd$/m);
  expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});

test('continues if standard error was closed', () => {
  const stream = new PassThrough();
  const messages = createMessages({
    stream,
    outputIsTerminal: false,
    color: false,
    settings: { quiet: false, debug: false },
    secrets,
  });
  stream.destroy(new Error('EPIPE'));
  expect(() => messages.note('lost')).not.toThrow();
});

test.each([true, false])('a painter gets the lines of its terminal: %s', (isTTY) => {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  const settings = { quiet: false, debug: false };
  const messages = createMessages({
    stream,
    outputIsTerminal: true,
    color: false,
    settings,
    secrets,
  });
  const painted: string[] = [];
  messages.redirect((text) => painted.push(text));
  messages.note('one');
  messages.redirect(undefined);
  messages.note('two');
  expect([painted, stream.read()]).toEqual(isTTY ? [['one\n'], 'two\n'] : [[], 'one\ntwo\n']);
});
