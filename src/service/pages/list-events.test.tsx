import { expect, test } from 'vitest';
import { createChangeFeed } from '../scheduler/change-feed.ts';
import { partEvents, type Part } from './list-events.ts';
import type { PageCall } from './page-call.ts';

/** A page that has what there is, and what it then asks for; its waits are over when the test says. */
function watch(partsOf: (ids: readonly string[] | null) => readonly Part[]) {
  const feed = createChangeFeed(() => 1000);
  const { version } = feed.since('pipeline', null);
  const waits: (() => void)[] = [];
  const next = (): Promise<void> => new Promise((resolve) => void waits.push(resolve));
  const asked: (readonly string[] | null)[] = [];
  const call = {
    service: { engine: { feed: { ...feed, next } } } as unknown as PageCall['service'],
    signal: new AbortController().signal,
    header: () => String(version),
    query: new URLSearchParams(),
  };
  const events = partEvents(call, {
    ...{ key: 'pipeline', gatherTime: 0 },
    partsOf: (ids) => {
      asked.push(ids);
      return Promise.resolve(partsOf(ids));
    },
  });
  return { feed, waits, asked, events };
}

const textOf = async (events: AsyncGenerator<{ readonly data: object }>): Promise<string> =>
  ((await events.next()).value as { data: { html: string } }).data.html;

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

test('what the page has is not sent; what grows is shown anew though nothing changes', async () => {
  let seconds = 1;
  const { waits, asked, events } = watch(() => [
    { id: 'a', element: <p>{seconds}</p>, growing: ['one'] },
    { id: 'b', element: <p>still</p>, growing: [] },
  ]);
  const text = textOf(events);
  await until(() => waits.length === 1);
  seconds = 2;
  waits[0]?.();
  expect(await text).toBe('<p>2</p>');
  expect(asked).toEqual([null, ['one']]);
});

test('what happens while the list is read for the first time is sent', async () => {
  const { feed, waits, events } = watch((ids) => {
    if (ids === null) feed.note('pipeline', ['new']);
    return [{ id: 'a', element: <p>new</p>, growing: [] }];
  });
  let isOver = false;
  const waiting = until(() => isOver || waits.length === 1).then(() => 'nothing');
  expect(await Promise.race([textOf(events), waiting])).toBe('<p>new</p>');
  isOver = true;
});

test('what has stopped growing is not looked at again before it changes', async () => {
  let growing = ['one'];
  const { feed, waits, asked, events } = watch((ids) => [
    { id: 'a', element: <p>{String(ids)}</p>, growing },
  ]);
  const text = textOf(events);
  await until(() => waits.length === 1);
  growing = [];
  waits[0]?.();
  expect(await text).toBe('<p>one</p>');
  const later = textOf(events);
  await until(() => waits.length === 2);
  waits[1]?.();
  await until(() => waits.length === 3);
  expect(asked).toEqual([null, ['one']]);
  feed.note('pipeline', ['two']);
  waits[2]?.();
  expect(await later).toBe('<p>two</p>');
});
