import { defineConfig } from 'vitest/config';

/** `run.ts` names the tests of the area. */
const { MUTATION_TESTS = '' } = process.env;

export default defineConfig({
  ssr: { resolve: { conditions: ['@mcp/source'] } },
  // Code whose changes can be turned on takes many times as long.
  test: { include: MUTATION_TESTS.split(','), testTimeout: 60_000 },
});
