import { defineConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

/** It counts the child processes of its own process, so that no other file may have some there. */
const alone = ['test/exhaustion.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { ...shared, test: { ...shared.test, name: 'tests', exclude: alone } },
      { ...shared, test: { ...shared.test, name: 'alone', include: alone, isolate: true } },
    ],
  },
});
