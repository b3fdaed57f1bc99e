import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Workspace packages resolve to their sources; of a server, the program that some tests start is built first. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@mcp/source'] } },
  // Many tests wait for processes and disks, also on a busy machine: the time is there to end what hangs.
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: join(import.meta.dirname, 'scripts/build-for-tests.ts'),
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
