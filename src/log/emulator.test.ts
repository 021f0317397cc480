import { expect, test } from 'vitest';
import { rowsOf } from '../../test/log/emulator.ts';
import { programs } from '../../test/log/programs.ts';
import { feed } from '../../test/log/split.ts';
import { settle } from './settle.ts';
import { toBytes, toText } from './text.ts';
import { some } from '../../test/support/full.ts';

test('the text has every row that a terminal scrolls out or shows at the end, in order', async () => {
  for (const program of programs(some(1000))) {
    const text = toText(feed(settle(), toBytes(program)));
    let at = 0;
    for (const row of await rowsOf(program)) {
      const found = text.indexOf(row, at);
      expect(found, `${JSON.stringify(row)} of ${JSON.stringify(program)}`).toBeGreaterThanOrEqual(
        0,
      );
      at = found + row.length;
    }
  }
});
