/**
 * `npm run bench [WORD]`: compares the tool to bare Node and to public tools, as ratios measured in
 * one run, in one table. Below 1 is faster than the baseline; for throughput, above 1. After the
 * figure is its goal, if any, and `missed` if it was missed. With WORD, runs only rows whose name
 * contains it; `--list` lists all rows without measuring.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from '../scripts/setup.js';
import { agentRows } from './agents/rows.js';
import { allBuildsRows } from './all-builds.js';
import { bigBuildRows } from './big-build.js';
import { completionRows } from './complete.js';
import { executableRows } from './executable.js';
import { fillRows } from './fill-time.js';
import { logRows } from './logs.js';
import { pageRows } from './pages.js';
import { pruneRows } from './prune.js';
import { reportRows } from './report.js';
import { scheduleRows } from './schedule.js';
import { runJobsRows } from './run-jobs.js';
import { rateRows, sizeRows } from './service-size.js';
import { startRows } from './start.js';
import { streamRows } from './streams.js';
import { head, listed, measured, notMeasured } from './table.js';
import { waitRows } from './waits.js';

setUp();
const folder = await mkdtemp(join(tmpdir(), 'cictl-bench-'));
const [word = ''] = process.argv.slice(2);
const isList = word === '--list';
const wanted = isList ? '' : word;
// Each group returns its rows as functions, so that unwanted rows cost nothing.
const groups = [
  ...[startRows, completionRows, executableRows, allBuildsRows, logRows],
  ...[scheduleRows, runJobsRows, bigBuildRows, fillRows, sizeRows, rateRows, waitRows, pruneRows],
  ...[agentRows, reportRows, pageRows, streamRows],
];
let shown = 0;

process.stdout.write(`Node ${process.versions.node}, medians, A B A B\n\n${head}`);
try {
  for (const rows of groups) await show(rows);
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (shown === 0) {
  process.stderr.write(`no row's name contains ${JSON.stringify(wanted)}\n`);
  process.exitCode = 2;
}

async function show(rows) {
  const group = await rows(folder);
  try {
    for (const row of group.rows) {
      if (!row.name.includes(wanted)) continue;
      shown++;
      process.stdout.write(isList ? listed(row) : await lineOf(row, group.unit));
    }
  } finally {
    await group.close();
  }
}

/** The other rows are measured anyway. It is not an error if the other program is not installed. */
async function lineOf(row, unit) {
  try {
    return measured(row, await row.run(), row.unit ?? unit);
  } catch (error) {
    if (!error.message.includes('ENOENT')) process.exitCode = 1;
    return notMeasured(row, error.message.split('\n')[0]);
  }
}
