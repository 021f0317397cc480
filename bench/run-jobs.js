/**
 * Jobs that do nothing: `run` compared to a shell loop with the same parallelism, to measure the
 * cost of a job.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measure } from './pair.js';

const tool = [process.execPath, join(import.meta.dirname, '../bin/cictl.js')];
/** The same parallelism on both sides: the default of `run`. */
const parallel = 2;

/** The time for a run of one job; the service starts and stops as part of it. */
async function oneJob(home) {
  const file = join(home, '1.yml');
  await writeFile(file, JSON.stringify({ steps: [{ command: 'true' }] }));
  const ours = [...tool, 'run', file, '--no-tty'];
  const pair = { ours, theirs: ['bash', '-c', 'true'], env: { HOME: home }, warmUps: 6 };
  return {
    ...{ name: 'run, one job, no terminal', against: 'more than bash -c true' },
    ...{ goal: 'at most 120', sign: 'ms' },
    run: () => {
      const result = measure(pair);
      return { ...result, figure: result.ours - result.theirs };
    },
  };
}

/** @param {string} folder for the data of the tool and the pipelines */
export async function runJobsRows(folder) {
  const home = join(folder, 'run-jobs');
  await mkdir(home);
  const row = async (name, jobs, goal, { flags, rounds }) => {
    const file = join(home, `${jobs}.yml`);
    await writeFile(file, JSON.stringify({ steps: Array(jobs).fill({ command: 'true' }) }));
    const ours = [...tool, 'run', file, ...flags, '--jobs', String(parallel)];
    const loop = `seq ${jobs} | xargs -P ${parallel} -I{} bash -e -c true`;
    const pair = { ours, theirs: ['bash', '-c', loop], env: { HOME: home }, rounds, warmUps: 1 };
    return {
      ...{ name, goal, against: `xargs -P ${parallel} bash -e -c true` },
      run: () => measure({ ...pair, stdout: 'null' }),
    };
  };
  return {
    unit: 'ms',
    rows: [
      await oneJob(home),
      await row('run, 200 jobs, no terminal', 200, 'at most 3', { flags: ['--no-tty'], rounds: 5 }),
      await row('run, 2000 jobs, no terminal', 2000, 'at most 3.5', {
        ...{ flags: ['--no-tty'], rounds: 2 },
      }),
      await row('run, 200 jobs, a terminal each', 200, 'at most 4', { flags: [], rounds: 5 }),
    ],
    close: () => undefined,
  };
}
