import { defineConfig } from 'vitest/config';

const units = [
  'src/**/*.test.ts',
  'test/support/**/*.test.ts',
  'test/house/**/*.test.ts',
  // The service is started from its source.
  'test/local/**/*.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { NODE_EXTRA_CA_CERTS: '' },
    projects: [
      // Units need no build, so that one of them is tried in a second.
      { extends: true, test: { name: 'unit', include: units } },
      {
        extends: true,
        test: {
          name: 'built',
          include: ['test/**/*.test.ts'],
          exclude: units,
          globalSetup: ['test/support/build.ts'],
        },
      },
    ],
  },
});
