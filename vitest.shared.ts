import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Programs that tests start from their sources spend most of their time on removing types and on compiling,
// the same for each start. Node keeps the results here, for the workers too.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

const { devDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies?: object;
};

/**
 * The program of a server, which some tests start, is built first.
 * Workspace packages resolve to their sources.
 */
export default defineConfig({
  ssr: { resolve: { conditions: ['@mcp/source'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: join(import.meta.dirname, 'scripts/build-for-tests.ts'),
    setupFiles:
      'fast-check' in devDependencies ? [join(import.meta.dirname, 'scripts/seed-properties.ts')] : [],
    // Files share the worker processes: most have less to run than the start of a process and its imports
    // cost. So a test restores what it changes of the process (directory, environment).
    isolate: false,
    // Most tests wait for processes and disks: four of them keep two cores busy.
    maxWorkers: 4,
    // The time is there to end what hangs, also on a busy machine. A test that needs more has its
    // own, with the reason.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
