import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** The child processes run one bundled file: that takes half the CPU time of a start from the sources. */
export const bundledWorker = {
  find: /^\.{1,2}\/worker-program\.ts$/,
  replacement: join(import.meta.dirname, 'test/worker-program.ts'),
};

/** The tests change the working directory, and count the child processes of their own process. */
export default mergeConfig(
  shared,
  defineConfig({ resolve: { alias: [bundledWorker] }, test: { isolate: true } }),
);
