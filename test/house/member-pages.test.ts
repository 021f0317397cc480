/** Pages that describe a JSON object name exactly its members. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Resource } from '../../src/api/resources/resource.ts';
import { buildReport } from '../../src/commands/builds/report/resource.ts';
import { statsResource } from '../../src/stats/stats-resource.ts';
import { reportResource } from '../../src/triage/report-resource.ts';
import { summaryResource } from '../../src/triage/summary.ts';

/** The paths of all members, such as `jobs[].id`. */
const paths = ({ members }: Resource, before = ''): string[] =>
  Object.entries(members).flatMap(([name, { kind, of }]) => {
    const path = before + name;
    return of === undefined
      ? [path]
      : [path, ...paths(of, `${path}${kind === 'list' ? '[]' : ''}.`)];
  });

const ofReport = paths(reportResource);

test.each([
  ['summary.md', paths(summaryResource)],
  ['stats.md', paths(statsResource)],
  ['failures.md', ofReport.filter((path) => !path.startsWith('recovered[].retries[]'))],
  ['reports.md', paths(buildReport).filter((path) => !ofReport.includes(path))],
])('docs/%s has a row for each member', async (name, members) => {
  const page = await readFile(join(import.meta.dirname, '../../docs', name), 'utf8');
  const sections = page.slice(page.indexOf('## The JSON object')).split(/^### /m);
  const documented = sections.flatMap((section) => {
    const [, object] = /^`([^`]+)`\n/.exec(section) ?? [];
    const cells = [...section.matchAll(/^\| (`[^|]+)\|/gm)].map(([, cell = '']) => cell);
    const names = cells.flatMap((cell) => cell.match(/[^`, ]+/g) ?? []);
    return names.map((member) => (object === undefined ? member : `${object}.${member}`));
  });
  expect(documented.sort()).toEqual(members.sort());
});
