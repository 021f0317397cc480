/** docs/reliability.md leads to tests that are there. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const top = join(import.meta.dirname, '../..');

test('every fault has its test', async () => {
  const page = await readFile(join(top, 'docs/reliability.md'), 'utf8');
  const claims = page.split('\n').filter((line) => line.startsWith('- '));
  expect(claims.length).toBeGreaterThan(150);
  for (const claim of claims) {
    const files = [...claim.matchAll(/`((?:src|test)\/[\w/.-]+\.test\.ts)`/g)].map(
      ([, file = '']) => file,
    );
    expect(files, claim).not.toEqual([]);
    expect(files.filter((file) => !existsSync(join(top, file)))).toEqual([]);
  }
});

test('every title of a test is one of its file', async () => {
  const page = await readFile(join(top, 'docs/reliability.md'), 'utf8');
  const titles = [...page.matchAll(/`((?:src|test)\/[\w/.-]+\.test\.ts)` \("([^"]+)"\)/g)];
  expect(titles.length).toBeGreaterThan(30);
  for (const [, file = '', title = ''] of titles) {
    const text = await readFile(join(top, file), 'utf8');
    expect([file, title, text.includes(`'${title}'`)]).toEqual([file, title, true]);
  }
});
