import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: '', FORCE_COLOR: '', NODE_EXTRA_CA_CERTS: '' },
    projects: [
      // Units need no build, so that one of them is tried in a second.
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'built',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/build.ts'],
        },
      },
    ],
  },
});
