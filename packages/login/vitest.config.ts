import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

const cheapAttempts = {
  find: /^\.\/attempt-cost\.ts$/,
  replacement: join(import.meta.dirname, 'test/attempt-cost.ts'),
};

/** In these tests, an attempt has its real cost. */
const costly = ['test/two-processes.test.ts'];

/** Most of the time of the other tests would be spent on hashing passphrases. */
export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        resolve: { alias: [cheapAttempts] },
        test: { ...shared.test, name: 'tests', exclude: costly },
      },
      { ...shared, test: { ...shared.test, name: 'costly', include: costly } },
    ],
  },
});
