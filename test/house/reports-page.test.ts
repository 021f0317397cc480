/**
 * The documentation of `builds report` names every JSON member that `builds failures` does not
 * have.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildReport } from '../../src/commands/builds/report/resource.ts';
import { reportResource } from '../../src/triage/report-resource.ts';

test('docs/reports.md has a row for each member', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/reports.md'), 'utf8');
  const cells = [...page.slice(page.indexOf('## The JSON object')).matchAll(/^\| (`[^|]+)\|/gm)];
  const names = cells.flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
  const own = Object.keys(buildReport.members).filter((name) => !(name in reportResource.members));
  const ofJobs = Object.keys(buildReport.members.jobs.of?.members ?? {});
  expect(names.sort()).toEqual([...own, ...ofJobs].sort());
});
