/**
 * Scheduling: the cost of a job in a build of ten thousand compared to one of a hundred, in the
 * state machine only.
 */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { pathToFileURL } from 'node:url';

const entry = join(import.meta.dirname, 'schedule-lives.ts');

/** @param {string} folder an empty directory for the bundled sources */
export async function scheduleRows(folder) {
  const file = join(folder, 'schedule.mjs');
  const build = await rolldown({ input: entry, platform: 'node', logLevel: 'warn' });
  await build.write({ file, format: 'esm' });
  await build.close();
  const { microsecondsPerJob } = await import(pathToFileURL(file).href);
  const row = (name, waitEach) => ({
    name,
    against: 'a job of 100',
    run: () => compare((jobs) => microsecondsPerJob(jobs, waitEach)),
  });
  return {
    unit: 'µs',
    rows: [row('a job of 10,000', 0), row('a job of 10,000, 100 waits', 100)],
    close: () => undefined,
  };
}

/** The best of each, A B A B: other load can only add time. */
function compare(timeOf) {
  let [ours, theirs] = [Infinity, Infinity];
  for (let round = 0; round < 21; round++) {
    ours = Math.min(ours, timeOf(10_000));
    theirs = Math.min(theirs, timeOf(100));
  }
  return { ours, theirs, ratio: ours / theirs };
}
