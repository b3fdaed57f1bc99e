import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/**
 * Each start of git copies the page tables of the process that starts it, so the workers keep a small heap.
 */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      execArgv: ['--optimize-for-size', '--max-semi-space-size=4'],
      globalSetup: ['@mcp/test-kit/files-in-memory'],
    },
  }),
);
