/**
 * `npm run bench [WORD]`: how the tool does beside bare Node and beside public tools, as ratios
 * measured in one run. Below 1 is faster than what stands beside it; a throughput above 1 is.
 * Behind the ratio stands its goal, where there is one. With a word, only the rows whose name
 * contains it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from '../scripts/setup.js';
import { allBuildsRows } from './all-builds.js';
import { bigBuildRows } from './big-build.js';
import { executableRows } from './executable.js';
import { logRows } from './logs.js';
import { scheduleRows } from './schedule.js';
import { runJobsRows } from './run-jobs.js';
import { rateRows, sizeRows } from './service-size.js';
import { startRows } from './start.js';
import { waitRows } from './waits.js';

setUp();
const folder = await mkdtemp(join(tmpdir(), 'cictl-bench-'));
const wanted = process.argv[2] ?? '';
// Each group gives its rows as functions, so that what is not wanted costs nothing.
const groups = [
  ...[startRows, executableRows, allBuildsRows, logRows],
  ...[scheduleRows, runJobsRows, bigBuildRows, sizeRows, rateRows, waitRows],
];

process.stdout.write(`Node ${process.versions.node}, medians, A B A B\n\n`);
try {
  for (const rows of groups) await show(rows);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function show(rows) {
  const group = await rows(folder);
  try {
    for (const { name, against, goal = '', run } of group.rows) {
      if (!name.includes(wanted)) continue;
      const { ours, theirs, ratio, note = '' } = await run();
      const times = `${ours.toFixed(1)} / ${theirs.toFixed(1)} ${group.unit}`;
      const figure = `${ratio.toFixed(2).padStart(6)} ×  ${goal.padEnd(13)} ${times.padEnd(22)}`;
      process.stdout.write(`${name.padEnd(42)} ${figure} against ${against}${note}\n`);
    }
  } finally {
    await group.close();
  }
}
