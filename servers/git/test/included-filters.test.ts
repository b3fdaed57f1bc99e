import { test, vi } from 'vitest';
import { expectNoneRun, withHalves } from './trapped-repository.ts';

// A configuration with includes is read again for each command.
vi.setConfig({ testTimeout: 120_000 });

test.each(withHalves((repository) => repository === 'included filters'))(
  '$ids: no tool runs a program through $programs: $first',
  expectNoneRun,
);
