import { defineConfig } from 'vitest/config';
import { bundledWorker } from '../../packages/sqlite-pool/vitest.config.ts';
import shared from '../../vitest.shared.ts';

/** This test counts the child processes of its process, so it must not share the process with other tests. */
const alone = ['test/exhaustion.test.ts'];

const server = { ...shared, resolve: { alias: [bundledWorker] } };

export default defineConfig({
  test: {
    globalSetup: ['@mcp/test-kit/files-in-memory'],
    projects: [
      { ...server, test: { ...shared.test, name: 'tests', exclude: alone } },
      { ...server, test: { ...shared.test, name: 'alone', include: alone, isolate: true } },
    ],
  },
});
