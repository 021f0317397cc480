/** The documentation of `builds failures` names exactly the members of its JSON. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Resource } from '../../src/api/resources/resource.ts';
import { reportResource } from '../../src/triage/report-resource.ts';

test('docs/failures.md has a row for each member', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/failures.md'), 'utf8');
  const object = page.slice(page.indexOf('## The JSON object'));
  const rows = [...object.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  const retries = (name: string): boolean => !name.startsWith('recovered[].retries[]');
  expect(rows.sort()).toEqual(paths(reportResource).filter(retries).sort());
});

const paths = (resource: Resource, before = ''): string[] =>
  Object.entries(resource.members).flatMap(([name, { kind, of }]) => {
    const path = before + name;
    return of === undefined
      ? [path]
      : [path, ...paths(of, `${path}${kind === 'list' ? '[]' : ''}.`)];
  });
