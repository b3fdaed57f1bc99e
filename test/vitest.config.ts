import { defineConfig } from 'vitest/config';

/** These tests wait for the registry and for processes more than they work. */
export default defineConfig({
  test: {
    include: ['*.test.ts'],
    globalSetup: 'registry.ts',
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
