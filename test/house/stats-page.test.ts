/** The documentation of `builds stats` names exactly the members of its JSON. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Resource } from '../../src/api/resources/resource.ts';
import { statsResource } from '../../src/stats/stats-resource.ts';

test('docs/stats.md has a row for each member', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/stats.md'), 'utf8');
  const object = page.slice(page.indexOf('## The JSON object'));
  const rows = [...object.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual(paths(statsResource).sort());
});

const paths = ({ members }: Resource, before = ''): string[] =>
  Object.entries(members).flatMap(([name, { kind, of }]) => {
    if (of === undefined) return [before + name];
    const path = `${before}${name}${kind === 'list' ? '[]' : ''}`;
    return [path, ...paths(of, `${path}.`)];
  });
