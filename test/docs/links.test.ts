/** The links between the documents of the repository. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const top = join(import.meta.dirname, '../..');
const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
  ...readdirSync(join(top, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const read = (path: string): string => readFileSync(join(top, path), 'utf8');

test.each(documents)('the links of %s lead to files and headings that exist', (path) => {
  const links = [...read(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, file = '', heading]) => {
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(top, target))) return true;
    return heading !== undefined && !headingsOf(read(target)).includes(heading);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('docs/index.md lists every page', () => {
  const pages = readdirSync(join(top, 'docs')).filter((name) => name.endsWith('.md'));
  const index = read('docs/index.md');
  expect(pages.filter((name) => name !== 'index.md' && !index.includes(`](${name})`))).toEqual([]);
});

/** The anchors of a page, as GitHub builds them. */
const headingsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
