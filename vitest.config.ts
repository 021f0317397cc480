import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: '', FORCE_COLOR: '', NODE_EXTRA_CA_CERTS: '' },
  },
});
