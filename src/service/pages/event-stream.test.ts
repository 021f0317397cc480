import { expect, test } from 'vitest';
import { lastEventId } from './event-stream.ts';

const seen = (header: string | undefined, address = ''): string | undefined =>
  lastEventId({ header: () => header, query: new URLSearchParams(address) });

test.each(['0', '1795369718975', '209-1795369718975'])('%s is an id that pages have', (id) => {
  expect([seen(id), seen(undefined, `last-event-id=${id}`)]).toEqual([id, id]);
});

test('the header is of the later', () => {
  expect(seen('2', 'last-event-id=1')).toBe('2');
});

test.each(['', 'x', '-1', '1e9', '1'.repeat(5000), '1\n\nevent: part\ndata: {}', 'NaN', '1-2-3'])(
  'none of ours is none, so that it stands in no event: %j',
  (id) => {
    expect([
      seen(id),
      seen(undefined, new URLSearchParams({ 'last-event-id': id }).toString()),
    ]).toEqual([undefined, undefined]);
  },
);
