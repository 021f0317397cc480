/** Every problem in docs/reliability.md names tests that exist. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const top = join(import.meta.dirname, '../..');

test('every problem has a test', async () => {
  const page = await readFile(join(top, 'docs/reliability.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| (?!problem|-)/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const files = [...row.matchAll(/`((?:src|test)\/[\w/.-]+\.test\.ts)`/g)].map(
      ([, file = '']) => file,
    );
    expect(files, row).not.toEqual([]);
    expect(files.filter((file) => !existsSync(join(top, file)))).toEqual([]);
  }
});
