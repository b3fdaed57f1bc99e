import { defineConfig } from 'vitest/config';

/** Workspace packages resolve to their sources, so that tests need no build. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@mcp/source'] } },
  // Many tests wait for processes and disks, also on a busy machine.
  test: { include: ['src/**/*.test.ts', 'test/**/*.test.ts'], maxWorkers: 2, testTimeout: 20_000 },
});
