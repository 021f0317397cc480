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
  // These tests start the service from its source code.
  'test/service/**/*.test.ts',
];

/**
 * The slowest test files, and those that need a browser or an agent. They only run in a full run.
 * Some files of each area always run.
 */
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

// Directories that `scripts/test-nodes.js --without` excludes. Vitest's own option does not apply
// to projects.
const { CICTL_TESTS_WITHOUT: leftOut } = process.env;
const without = [
  ...(leftOut ? leftOut.split(',').map((folder) => `${folder}/**`) : []),
  ...(isFull ? [] : slow),
];

export default defineConfig({
  test: {
    // Caches transformed sources, so that the next run is 10% faster.
    experimental: { fsModuleCache: true },
    // Only detects deadlocks. A busy machine must not cause a timeout.
    testTimeout: timeLimit + 100_000,
    hookTimeout: timeLimit + 100_000,
    expect: { poll: { timeout: timeLimit } },
    // On a shared machine, ports are reused and clocks jump. A test that fails twice is really
    // broken.
    retry: process.env.CI === 'true' ? 1 : 0,
    env: { NODE_EXTRA_CA_CERTS: '', CICTL_TESTS_RAN: folderOfRun() },
    setupFiles: ['test/rows/record.ts'],
    // Without this, a style sheet that is imported as text is empty.
    css: true,
    // Most tests wait for processes that they started, so one worker per core would leave cores
    // idle.
    maxWorkers: 3 * availableParallelism(),
    sequence: { groupOrder: 1 },
    projects: [
      // Unit tests need no build, so a single test takes a second. Imported modules are loaded once
      // per worker instead of once per file.
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
      // After all tests, checks which of them ran.
      {
        extends: true,
        test: {
          name: 'rows',
          include: ['test/rows/*.last.ts'],
          // Skipped if tests are excluded, because those have not run.
          exclude: leftOut || !isFull ? ['test/rows/*.last.ts'] : [],
          globalSetup: ['test/rows/folder.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
