/** The documentation of `builds view --summary` names exactly the members of its JSON. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Resource } from '../../src/api/resources/resource.ts';
import { summaryResource } from '../../src/triage/summary.ts';

test('docs/summary.md has a row for each member', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/summary.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual(paths(summaryResource).sort());
});

const paths = (resource: Resource, before = ''): string[] =>
  Object.entries(resource.members).flatMap(([name, { kind, of }]) => {
    const path = before + name;
    return of === undefined
      ? [path]
      : [path, ...paths(of, `${path}${kind === 'list' ? '[]' : ''}.`)];
  });
