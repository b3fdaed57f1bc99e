import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** The child processes run one bundled file: that takes half the CPU time of a start from the sources. */
export const bundledWorker = {
  find: /^\.{1,2}\/worker-program\.ts$/,
  replacement: join(import.meta.dirname, 'test/worker-program.ts'),
};

/**
 * Each test file has a process of its own: tests change its working directory and count its child processes.
 */
export default mergeConfig(
  shared,
  defineConfig({ resolve: { alias: [bundledWorker] }, test: { isolate: true } }),
);
