/** Jobs with a known outcome and log. */

const lines = 400;

/**
 * @param {number} n index of the job, from 0
 * @param {string | null} file file to which the running job appends its ID
 * @param {number} seconds approximate duration
 */
export const commandOf = (n, file, seconds = 0.5) =>
  [
    ...(file === null ? [] : [`echo "$BUILDKITE_JOB_ID" >> ${file}`]),
    ...[
      `seq 1 ${lines / 2}`,
      `sleep ${((seconds * (n % 10)) / 5).toFixed(1)}`,
      `seq ${lines / 2 + 1} ${lines}`,
    ],
    `exit ${statusOf(n)}`,
  ].join('\n');

const statusOf = (n) => (n % 5 === 4 ? 3 : 0);

/**
 * Checks the jobs of a build; returns one line per error.
 *
 * @param {{ read: () => Promise<object>, log: (id: string) => Promise<string> }} build
 * @param {number} expected number of jobs
 * @param {string[]} runs job IDs, once for each time that a job was run
 */
export async function checkJobs(build, expected, runs) {
  const { jobs } = await build.read();
  const times = new Map();
  for (const id of runs) times.set(id, (times.get(id) ?? 0) + 1);
  const wrong = jobs.length === expected ? [] : [`${jobs.length} jobs instead of ${expected}`];
  for (const [n, job] of jobs.entries()) {
    const status = statusOf(n);
    if (times.get(job.id) !== 1) wrong.push(`job ${n} was run ${times.get(job.id) ?? 0} times`);
    if (job.exit_status !== status || job.state !== (status === 0 ? 'passed' : 'failed'))
      wrong.push(`job ${n} is ${job.state} with ${job.exit_status} instead of ${status}`);
    const damage = damageOf(await build.log(job.id));
    if (damage !== undefined) wrong.push(`the log of job ${n} ${damage}`);
  }
  return wrong;
}

/** The numbers must be complete and in order; returns undefined if they are. */
function damageOf(log) {
  const plain = log.replaceAll(/\u001b_bk;t=\d+\u0007/g, '');
  const numbers = plain
    .split(/\r*\n/)
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
  if (numbers.length !== lines) return `has ${numbers.length} lines of ${lines}`;
  const at = numbers.findIndex((number, index) => number !== index + 1);
  return at === -1 ? undefined : `has ${numbers[at]} in line ${at + 1}`;
}
