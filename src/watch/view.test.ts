import { expect, test } from 'vitest';
import { jsonView, lineView, viewKind } from './view.ts';

test.each([
  ['json', true, 'json'],
  ['jsonl', true, 'json'],
  ['json', false, 'json'],
  ['jsonl', false, 'json'],
  ['table', true, 'live'],
  ['table', false, 'lines'],
  ['tsv', true, 'lines'],
  ['yaml', true, 'lines'],
  ['tsv', false, 'lines'],
] as const)('%s, on a screen: %s, is %s', (format, isScreen, kind) => {
  expect(viewKind({ format, isScreen })).toBe(kind);
});

/** Where a view prints to, and what came there. */
function place() {
  const printed: unknown[] = [];
  const put = (kind: string) => (value: unknown) => {
    printed.push([kind, value]);
    return Promise.resolve();
  };
  const out = { event: put('event'), line: put('line'), write: put('write') };
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  const messages = { note: (text: string) => void printed.push(['note', text]) };
  return { printed, where: { out, clock, messages } as never };
}
const build = { number: 7, state: 'running', web_url: 'u' };

test('JSON: an event an object; waiting is noted too; logs are notes', async () => {
  const { printed, where } = place();
  const view = jsonView(where);
  await view.report({ event: 'wait', reason: 'waiting' });
  await view.report({ event: 'build', build });
  await view.show('a\nb\n');
  await view.show('c');
  await view.note('by the way');
  await view.close();
  expect(printed).toEqual([
    ['note', 'waiting'],
    ['event', expect.objectContaining({ event: 'wait' })],
    ['event', expect.objectContaining({ event: 'build' })],
    ['note', 'a\nb'],
    ['note', 'c'],
    ['note', 'by the way'],
  ]);
});

test('lines: a change a line; waiting is a note; logs come between', async () => {
  const { printed, where } = place();
  const logged: string[] = [];
  const logs = {
    report: ({ event }: { event: string }) => Promise.resolve(void logged.push(event)),
    close: () => Promise.resolve(void logged.push('close')),
  };
  const view = lineView(where, { logs: logs });
  await view.report({ event: 'wait', reason: 'waiting' });
  await view.report({ event: 'build', build });
  await view.show('a\n');
  await view.note('by the way');
  await view.close();
  expect(printed).toEqual([
    ['note', 'waiting'],
    ['line', expect.stringMatching(/\tbuild\t7\trunning\tu$/)],
    ['write', 'a\n'],
    ['note', 'by the way'],
  ]);
  expect(logged).toEqual(['wait', 'build', 'close']);
});

test('several builds have their pipelines in their lines', async () => {
  const { printed, where } = place();
  const view = lineView(where, { several: true });
  await view.report({ event: 'build', build: { ...build, pipeline: { slug: 'web' } } });
  await view.report({ event: 'build', build: { ...build, pipeline: null } });
  await view.report({
    ...{ event: 'build', build: { state: 'running', web_url: 'u', pipeline: { slug: 'web' } } },
  });
  await view.close();
  expect(printed).toEqual(
    ['web/7', '7', 'web'].map((name) => [
      'line',
      expect.stringMatching(new RegExp(`\\tbuild\\t${name}\\trunning\\t`)) as string,
    ]),
  );
});
