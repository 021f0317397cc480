/** `npm run bench` has a row for each figure with a goal in docs/performance.md. */
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { measured, misses, notMeasured } from '../../bench/table.js';

const program = join(import.meta.dirname, '../../bench/run.js');

const goals: Readonly<Record<string, readonly string[]>> = {
  'at most 1.10': ['--version', '--help', 'completion bash', 'executable: --version'],
  'at most 1.1': [
    ...['22', '24', '26'].flatMap((line) => [
      `builds list, 30 builds, TSV, Node ${line}`,
      `builds list, 30 builds, --json, Node ${line}`,
    ]),
  ],
  'at most 15': ['builds list, 30 builds, a table in CPU time'],
  'at most 1.3': ['builds list, 30 builds, TSV', 'builds list, 30 builds, --json', 'builds view'],
  'at most 1.45': ['builds list, 30 builds, a table'],
  'at most 0.25': ['--all, 10000 builds'],
  'at most 0.9': ['executable: builds list', 'job log html, 25 rows drawn anew, CPU time'],
  'at most 1.0': ['job log text, 5 MB, CPU time'],
  'at most 1.15': ['completion of a job from the cache'],
  'at most 1.2': ['builds view 7 --jq .number'],
  'at most 1.6': ['builds failures of 3 jobs'],
  'at most 120': ['run, one job, no terminal'],
  'at most 1': [
    'a table of 5,000 builds',
    'fill.js, 10000 builds',
    'stats over 10000 builds: memory',
    'a report of 200 logs of 2 MB: memory',
    ...['-o tsv', '-o table', '-o json', '-o jsonl', '-o yaml', '--jq length'].map(
      (form) => `--all ${form}: memory`,
    ),
  ],
  'at most 2': ['a report of 200 jobs'],
  'at most 3': ['run, 200 jobs, no terminal'],
  'at most 3.5': ['run, 2000 jobs, no terminal'],
  'at most 5': ['first byte of a build page with 200 jobs'],
  'at most 4': ['run, 200 jobs, a terminal each'],
  'at most 1.5': [
    'job log ansi, each line colored, CPU time',
    'stats over 10000 builds',
    ...['made', 'run', 'read'].map((phase) => `10000 jobs ${phase}`),
    ...['per_page=1', 'per_page=30', 'per_page=100', 'page 1000 of 1', 'page 1000 of 30'],
    ...['state', 'branch', 'commit', 'creator', 'creator of none', 'created_from'],
    ...['created_to of old builds', 'finished_from', 'meta_data', 'meta_data of none'],
    ...['GET build', 'create', 'metrics', 'GraphQL builds(first: 50)'],
  ].map((name) => (/10000|job log/.test(name) ? name : `${name}, 100000 builds`)),
  'at least 1': ['per_page=1', 'per_page=30', 'create'].map(
    (name) => `${name} a second, 100000 builds`,
  ),
};

test('lists a row with its goal for each figure', async () => {
  const { stdout } = await execa('node', [program, '--list']);
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  for (const [goal, names] of Object.entries(goals)) {
    const listed = rows.filter(([, said]) => said === goal).map(([name]) => name);
    expect(listed).toEqual(expect.arrayContaining([...names]));
  }
});

test('rejects words that match no row', async () => {
  const { exitCode, stderr } = await execa('node', [program, 'no such row'], { reject: false });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'no row\'s name contains "no such row"',
  });
});

test.each([
  [1.5, 'at most 1.5', false],
  [1.51, 'at most 1.5', true],
  [0.99, 'at least 1', true],
  [1, 'at least 1', false],
  [99, '', false],
])('%f misses "%s": %s', (figure, goal, missed) => {
  expect(misses(figure, goal)).toBe(missed);
});

test('prints the measurement, and that a goal is missed', () => {
  const row = { name: 'a table', goal: 'at most 15', sign: 'ms', against: 'TSV' };
  const line = measured(row, { ours: 40, theirs: 20, ratio: 2, figure: 20 }, 'ms of CPU');
  expect(line.split(/ {2,}/)).toEqual([
    ...['a table', '20.00 ms', 'at most 15', 'missed', '40.0 / 20.0 ms of CPU', 'TSV\n'],
  ]);
  expect(notMeasured(row, 'no such Node')).toMatch(/^a table +at most 15 +not measured +no such/);
});
