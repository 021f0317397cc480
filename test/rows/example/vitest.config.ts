/** Runs a few tests, some of which should make the check fail. */
import { defineConfig } from 'vitest/config';
import { folderOfRun } from '../folder.ts';

export default defineConfig({
  test: {
    env: { CICTL_TESTS_RAN: folderOfRun() },
    setupFiles: ['test/rows/record.ts'],
    sequence: { groupOrder: 1 },
    projects: [
      { extends: true, test: { name: 'cases', include: ['test/rows/example/*.case.ts'] } },
      {
        extends: true,
        test: {
          name: 'rows',
          include: ['test/rows/example/*.last.ts'],
          globalSetup: ['test/rows/folder.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
