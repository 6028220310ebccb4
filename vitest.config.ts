import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: more forks only make the crash and race suites wait on each other.
    maxWorkers: 2,
    pool: 'forks',
    // Real processes, sockets and servers on two noisy cores: what fails is run once more, and the report says so.
    retry: 1,
  },
});
