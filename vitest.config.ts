import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { folderOfRun } from './test/rows/folder.ts';
import { timeLimit } from './test/support/time-limit.ts';
import { isFull } from './test/support/is-full.ts';

const units = [
  'src/**/*.test.{ts,tsx}',
  'test/support/**/*.test.ts',
  'test/house/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  // The service is started from its source.
  'test/service/**/*.test.ts',
];

/** What takes longest, or needs a browser or an agent: only in a full run. Each area keeps files that run every time. */
const slow = [
  'test/agents/!(commands|start).test.ts',
  'test/pages/!(script|sessions).test.ts',
  'test/rows/run.test.ts',
  'test/cli/{builds-report-whole-logs,completion-values,job-env-names,job-log-large,job-log-short}.test.ts',
  'test/cli/{long-waits,random-lines,random-lines-built-in,table-references}.test.ts',
  'test/docs/{agents-page,bench,pages}.test.ts',
  'test/house/options.test.ts',
  'test/local/{agent-tokens,control-group,environment,fill,folder-gone,left-behind}.test.ts',
  'test/local/{damage,many-up,prune,same-port,slow-file}.test.ts',
  'test/package/{global-install,keep-scripts,no-addons,tarball}.test.ts',
  'test/run/{beside,from-build,many-jobs,own-pipeline,seen-from-outside,shared}.test.ts',
  'test/service/{addresses,recovery}.test.ts',
  'test/shim/job.test.ts',
];

// Folders, by `scripts/test-nodes.js --without`: the option of vitest does not reach its projects.
const { CICTL_TESTS_WITHOUT: leftOut } = process.env;
const without = [
  ...(leftOut ? leftOut.split(',').map((folder) => `${folder}/**`) : []),
  ...(isFull ? [] : slow),
];

export default defineConfig({
  test: {
    // Transformed sources are kept for the next run, which then takes a tenth less.
    experimental: { fsModuleCache: true },
    // Caught is a deadlock; a machine that is busy with other things is not one.
    testTimeout: timeLimit + 100_000,
    hookTimeout: timeLimit + 100_000,
    expect: { poll: { timeout: timeLimit } },
    // Ports are reused and clocks jump on a shared machine. A test that fails twice is wrong.
    retry: process.env.CI === 'true' ? 1 : 0,
    env: { NODE_EXTRA_CA_CERTS: '', CICTL_TESTS_RAN: folderOfRun() },
    setupFiles: ['test/rows/record.ts'],
    // A style sheet that is imported as text is empty otherwise.
    css: true,
    // Most tests wait for processes that they have started: one worker per core leaves cores idle.
    maxWorkers: 3 * availableParallelism(),
    sequence: { groupOrder: 1 },
    projects: [
      // Units need no build, so that one of them is tried in a second.
      // They share nothing but what they import, which is read once a worker and not once a file.
      { extends: true, test: { name: 'unit', include: units, exclude: without, isolate: false } },
      {
        extends: true,
        test: {
          name: 'built',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...units, ...without],
          globalSetup: ['test/support/build.ts'],
        },
      },
      // Asks, when all tests have run, which did.
      {
        extends: true,
        test: {
          name: 'rows',
          include: ['test/rows/*.last.ts'],
          // What was left out cannot have run.
          exclude: leftOut || !isFull ? ['test/rows/*.last.ts'] : [],
          globalSetup: ['test/rows/folder.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
