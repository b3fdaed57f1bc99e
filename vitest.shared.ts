import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Workspace packages resolve to their sources; of a server, the program that some tests start is built first.
 */
export default defineConfig({
  ssr: { resolve: { conditions: ['@mcp/source'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: join(import.meta.dirname, 'scripts/build-for-tests.ts'),
    // Files share the worker processes: most have less to run than the start of a process and its imports
    // cost. So a test restores what it changes of the process (directory, environment).
    isolate: false,
    // Most tests wait for processes and disks: four of them keep two cores busy.
    maxWorkers: 4,
    // The time is there to end what hangs, also on a busy machine. A test that needs more has its
    // own, with the reason.
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
