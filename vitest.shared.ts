import { defineConfig } from 'vitest/config';

/** Workspace packages resolve to their sources, so that tests need no build. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@mcp/source'] } },
  // Many tests wait for processes and disks, also on a busy machine: the time is there to end what hangs.
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
