import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/**
 * Most tests are shorter than the start of a process for their file, so the files share the worker processes.
 */
export default mergeConfig(
  shared,
  defineConfig({ test: { isolate: false, globalSetup: ['test/template-directory.ts'] } }),
);
