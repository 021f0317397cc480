import { expect, test } from 'vitest';
import { ReaderGone, type DataStream } from '../render/data-stream.ts';
import { pageWhereFull } from './pager.ts';

/**
 * A screen with 10 columns and 4 rows, one of them for the cursor, and everything written to it.
 */
function paged({ isOwn = false, hasPager = true, leaves = false } = {}) {
  const seen: string[] = [];
  let say: ((text: string) => void) | undefined;
  const stream = (name: string): DataStream => ({
    ...{ isTerminal: true, width: 10, height: 4 },
    write: (data) => {
      if (leaves && name === 'pager') return Promise.reject(new ReaderGone());
      return Promise.resolve(void seen.push(`${name}: ${Buffer.from(data).toString()}`));
    },
    close: () => Promise.resolve(void seen.push(`${name} closed`)),
  });
  const out = pageWhereFull({
    screen: stream('screen'),
    messages: { redirect: (to) => (say = to) },
    messageStream: { write: (text: string) => seen.push(`said: ${text}`) } as never,
    isOwn,
    openPager: () => Promise.resolve(hasPager ? stream('pager') : undefined),
  });
  return { out, seen, say: (text: string) => say?.(text) };
}

test('prints output that fits to the screen, with messages below', async () => {
  const { out, seen, say } = paged();
  await out.write('1\n2\n');
  say('a note\n');
  await out.write('3\n');
  expect(seen).toEqual([]);
  await out.close();
  expect(seen).toEqual(['screen: 1\n2\n3\n', 'screen closed', 'said: a note\n']);
});

test.each([
  ['lines', ['1\n2\n', '3\n4\n', '5\n']],
  ['lines that the terminal wraps', ['1\n', 'more than ten columns\n', '5\n']],
  ['wide characters', ['1\n', '長い名前の長い名前の長\n', '5\n']],
  ['a line without an end', ['1\n2\n3\n', '4', '5']],
  ['a line in many pieces', ['12345678', '12345678', '12345678', '12345678', '5']],
])('pages everything if the screen is too small for %s', async (_, writes) => {
  const { out, seen } = paged();
  for (const text of writes) await out.write(text);
  await out.close();
  const [last] = writes.splice(-1);
  expect(seen).toEqual([`pager: ${writes.join('')}`, `pager: ${last}`, 'pager closed']);
});

test('colors take no room', async () => {
  const { out, seen } = paged();
  await out.write(`\x1b[1m${'x'.repeat(10)}\x1b[22m\n2\n3\n`);
  await out.close();
  expect(seen[0]).toMatch(/^screen: /);
});

test('a custom pager also gets output that fits', async () => {
  const { out, seen } = paged({ isOwn: true });
  await out.write('1\n');
  await out.close();
  expect(seen).toEqual(['pager: 1\n', 'pager closed']);
});

test('prints everything if the pager is missing', async () => {
  const { out, seen, say } = paged({ hasPager: false });
  await out.write('1\n2\n');
  say('a note\n');
  await out.write('3\n4\n');
  await out.write('5\n');
  await out.close();
  expect(seen).toEqual([
    ...['screen: 1\n2\n3\n4\n', 'said: a note\n', 'screen: 5\n', 'screen closed'],
  ]);
});

test('prints nothing more after the pager was closed early', async () => {
  const { out, seen, say } = paged({ leaves: true });
  await out.write('1\n');
  say('a note\n');
  await expect(out.write('2\n3\n4\n')).rejects.toThrow(ReaderGone);
  await out.close();
  expect(seen).toEqual(['pager closed', 'said: a note\n']);
});
