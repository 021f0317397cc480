import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.ts';

const of = (log: string | Uint8Array, count = 50, isCut = false) =>
  excerptOf({ bytes: Buffer.from(log), isCut }, count);

const agentLog = (command: string, after = '') =>
  [
    '~~~ Preparing working directory\n$ git clone\nCloning\n',
    '~~~ Running global environment hook\n$ /hooks/environment\nsecret noise\n',
    '--- of the hook\nhook section\n',
    '~~~ Running plugin docker pre-command hook\npulling\n',
    command,
    after,
    '~~~ Running plugin junit post-command hook\n$ collect\n--- :junit: Download\njunit noise\n',
    '~~~ Uploading artifacts\nUploading 12 files\n',
    '~~~ Running agent pre-exit hook\n# noise at the end\n',
  ].join('');

test.each<[string, string, string | null, string[]]>([
  ['no section', 'one\ntwo\n', null, ['one', 'two']],
  ['nothing', '', null, []],
  ['blank lines at the end', 'one\n\n \n', null, ['one']],
  ['no newline at the end', 'one', null, ['one']],
  ['the last section', '--- A\na\n--- B\nb\n', 'B', ['--- A', 'a', '--- B', 'b']],
  [
    'what ran before goes',
    agentLog('~~~ Running commands\n$ make\nboom\n'),
    'Running commands',
    ['~~~ Running commands', '$ make', 'boom'],
  ],
  [
    'sections of the command',
    agentLog('~~~ Running script\n--- Test\nboom\n'),
    'Test',
    ['~~~ Running script', '--- Test', 'boom'],
  ],
  [
    'a command hook is the command',
    agentLog('~~~ Running plugin docker command hook\nboom\n'),
    'Running plugin docker command hook',
    ['~~~ Running plugin docker command hook', 'boom'],
  ],
  [
    'the agent does not say where it begins',
    '~~~ Running global environment hook\nnoise\n--- Test\nboom\n~~~ Uploading artifacts\nnoise\n',
    'Test',
    ['--- Test', 'boom'],
  ],
  [
    'muted sections of the command',
    '--- Test\nboom\n~~~ Details\nmore\n',
    'Details',
    ['--- Test', 'boom', '~~~ Details', 'more'],
  ],
  [
    'a section of the command named like one of the agent',
    '--- Uploading artifacts\ndenied\n',
    'Uploading artifacts',
    ['--- Uploading artifacts', 'denied'],
  ],
  [
    'the section that asks to be opened',
    '--- A\na\n^^^ +++\n--- Clean up\nbye\n',
    'A',
    ['--- A', 'a'],
  ],
  [
    'a hook that kept the command from running',
    '~~~ Preparing working directory\nok\n~~~ Running global pre-command hook\ndenied\n^^^ +++\n~~~ Running agent pre-exit hook\nbye\n',
    'Running global pre-command hook',
    ['~~~ Running global pre-command hook', 'denied'],
  ],
  [
    'a checkout that failed',
    '~~~ Preparing working directory\nfatal: no such commit\n~~~ Running agent pre-exit hook\n$ bye\n',
    'Preparing working directory',
    ['~~~ Preparing working directory', 'fatal: no such commit'],
  ],
  [
    'a hook that failed after the command',
    '~~~ Running commands\nok\n~~~ Running global post-command hook\nboom\n^^^ +++\n',
    'Running global post-command hook',
    ['~~~ Running global post-command hook', 'boom'],
  ],
  [
    'colours, marks, progress',
    '\x1b_bk;t=1\x07\x1b[31m--- A\x1b[0m\r\n\x1b_bk;t=2\x07 1%\r50%\r\x1b[Kdone\r\n',
    'A',
    ['--- A', 'done'],
  ],
  ['a title and a clipboard', '\x1b]0;title\x07\x1b]52;c;aGk=\x07safe\n', null, ['safe']],
])('%s', (_, log, section, lines) => {
  expect(of(log)).toEqual({ section, lines, omitted: 0 });
});

test('bytes that are no UTF-8 become U+FFFD', () => {
  expect(of(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x0a])).lines).toEqual(['a��(']);
});

test('characters beyond ASCII stay, in lines and names', () => {
  expect(of('--- :tada: Prüfung 試験\nschlecht 🦊\n')).toEqual({
    section: ':tada: Prüfung 試験',
    lines: ['--- :tada: Prüfung 試験', 'schlecht 🦊'],
    omitted: 0,
  });
});

test('only the last lines, and how many came before', () => {
  expect(of('--- A\n1\n2\n3\n\n', 2)).toEqual({ section: 'A', lines: ['2', '3'], omitted: 2 });
});

test('of a part of a log, the torn first line goes and nobody knows what came before', () => {
  expect(of('31mtorn\nwhole\n', 50, true)).toEqual({
    section: null,
    lines: ['whole'],
    omitted: null,
  });
});

test('a part of a log without any newline is shown', () => {
  expect(of('x'.repeat(300_000), 50, true).lines.join('')).toHaveLength(300_000);
});
