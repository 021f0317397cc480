/** The map in CONTRIBUTING.md matches the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const top = join(import.meta.dirname, '../..');
const page = readFileSync(join(top, 'CONTRIBUTING.md'), 'utf8');

test('the map names every directory of src', () => {
  const shown = [...page.matchAll(/^(src\/[a-z]+) /gm)].map(([, path]) => path);
  const folders = readdirSync(join(top, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`);
  expect(shown.sort()).toEqual(folders.sort());
});

test('every path on the page exists', () => {
  const named = [...page.matchAll(/`((?:src|test|bin|docs)\/[^`\s]*)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(10);
  // Files that tests write only exist after a run.
  const ignored = readFileSync(join(top, '.gitignore'), 'utf8').split('\n');
  const exist = (path: string): boolean =>
    /NOUN|VERB/.test(path) || ignored.includes(`${path}/`) || existsSync(join(top, path));
  expect(named.filter((path) => !exist(path))).toEqual([]);
});
