/** docs/reliability.md leads to tests that are there. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const top = join(import.meta.dirname, '../..');

test('every fault has its test', async () => {
  const page = await readFile(join(top, 'docs/reliability.md'), 'utf8');
  const faults = page.split('\n').filter((line) => line.startsWith('- '));
  expect(faults.length).toBeGreaterThan(150);
  for (const fault of faults) {
    const files = [...fault.matchAll(/`((?:src|test)\/[\w/.-]+\.test\.ts)`/g)].map(
      ([, file = '']) => file,
    );
    expect(files, fault).not.toEqual([]);
    expect(files.filter((file) => !existsSync(join(top, file)))).toEqual([]);
  }
});
