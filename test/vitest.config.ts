import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first: a long one that begins last would run alone. */
const longest = ['copied-servers', 'tasks', 'packed', 'gateway'].map((name) => `${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const first = longest.flatMap((name) => files.filter(({ moduleId }) => basename(moduleId) === name));
    const others = files.filter((file) => !first.includes(file));
    return [...first, ...(await super.sort(others))];
  }
}

/** These tests wait for the registry and for processes more than they work. */
export default defineConfig({
  test: {
    include: ['*.test.ts'],
    globalSetup: 'registry.ts',
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
