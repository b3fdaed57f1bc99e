import { defineConfig } from 'vitest/config';
import { bundledWorker } from '../../packages/sqlite-pool/vitest.config.ts';
import shared from '../../vitest.shared.ts';

/** It counts the child processes of its own process, so that no other file may have some there. */
const alone = ['test/exhaustion.test.ts'];

const server = { ...shared, resolve: { alias: [bundledWorker] } };

export default defineConfig({
  test: {
    projects: [
      { ...server, test: { ...shared.test, name: 'tests', exclude: alone } },
      { ...server, test: { ...shared.test, name: 'alone', include: alone, isolate: true } },
    ],
  },
});
