import { expect, test } from 'vitest';
import { createMarker } from './marks.ts';

test('a line has the time of its first byte, however it is split', () => {
  let now = 1;
  const mark = createMarker(() => now++);
  const parts = ['a', 'b\n', 'c\n\nd\r', 'e\r', '\n', '', 'f'].map((part) =>
    mark(Buffer.from(part))
      .toString()
      .replaceAll(/\x1b_bk;t=(\d+)\x07/g, '<$1>'),
  );
  expect(parts).toEqual(['<1>a', 'b\n', '<3>c\n<3>\n<3>d\r', 'e\r', '\n', '', '<7>f']);
});
