import { expect, test } from 'vitest';
import type { PageCall } from './page-call.ts';
import { followPictures, type Batch, type Part, type Picture } from './shared-pictures.ts';

/** A service whose page shows one picture after another, each when the test says, and streams of that page. */
function scene() {
  const service = {};
  let drawn = 0;
  let isOver = false;
  let show: (picture: Picture) => void = () => undefined;
  let next = new Promise<Picture>((resolve) => (show = resolve));
  async function* draw({ signal }: PageCall) {
    drawn++;
    signal.addEventListener('abort', () => (isOver = true));
    for (;;) {
      yield await next;
      next = new Promise((resolve) => (show = resolve));
    }
  }
  const follow = (seen: string, userId = 'u1') => {
    const left = new AbortController();
    const call = { service, params: {}, query: new URLSearchParams(), caller: { userId } };
    const batches = followPictures(
      { ...call, signal: left.signal } as unknown as PageCall,
      ...(['build', seen, draw] as const),
    );
    return {
      leave: () => left.abort(),
      /** The markup that a page gets next. */
      read: async () => {
        const batch = (await batches.next()).value as Batch<Picture> | undefined;
        return batch?.parts.map((json) => (JSON.parse(Buffer.from(json).toString()) as Part).html);
      },
      parts: async () => ((await batches.next()).value as Batch<Picture>).parts,
    };
  };
  return { follow, show: (one: Picture) => show(one), drawn: () => drawn, isOver: () => isOver };
}

const picture = (version: number, html: string): Picture => ({
  ...{ version: String(version), isExact: true, changed: [{ id: 'head', html }] },
  all: () =>
    Promise.resolve([
      { id: 'head', html },
      { id: 'jobs', html: 'all jobs' },
    ]),
});

test('draws once for all streams of a page, and sends all of them the same bytes', async () => {
  const { follow, show, drawn } = scene();
  const streams = [follow('0'), follow('0'), follow('1')];
  const first = streams.map((stream) => stream.parts());
  show(picture(1, 'one'));
  const [a, b, c] = await Promise.all(first);
  expect(a?.[0]).toBe(b?.[0]);
  expect([a?.length, c?.length]).toEqual([2, 0]);
  const second = streams.map((stream) => stream.parts());
  show(picture(2, 'two'));
  const [d, e, f] = await Promise.all(second);
  expect(d?.[0]).toBe(e?.[0]);
  expect(e?.[0]).toBe(f?.[0]);
  expect(drawn()).toBe(1);
});

test('a slow stream skips the pictures that it missed', async () => {
  const { follow, show } = scene();
  const [fast, slow] = [follow('1'), follow('1')];
  const first = [fast.read(), slow.read()];
  show(picture(1, 'one'));
  await Promise.all(first);
  for (const [version, text] of [
    [2, 'two'],
    [3, 'three'],
  ] as const) {
    const read = fast.read();
    show(picture(version, text));
    expect(await read).toEqual([text]);
  }
  expect(await slow.read()).toEqual(['three']);
});

test('another caller gets pictures of its own', async () => {
  const { follow, drawn } = scene();
  void follow('0').read();
  void follow('0', 'u2').read();
  await Promise.resolve();
  expect(drawn()).toBe(2);
});

test('stops drawing when the last stream has left', async () => {
  const { follow, show, isOver } = scene();
  const [a, b] = [follow('1'), follow('1')];
  const first = [a.read(), b.read()];
  show(picture(1, 'one'));
  await Promise.all(first);
  const rest = [a.read(), b.read()];
  a.leave();
  await rest[0];
  expect(isOver()).toBe(false);
  b.leave();
  await rest[1];
  expect(isOver()).toBe(true);
});
