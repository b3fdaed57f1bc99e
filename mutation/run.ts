import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { type Area, areas } from './areas.ts';

// Changes the sources of each area in small ways, one at a time, and runs the tests that reach the change.
// Prints the changes that no test notices.

/** The least share of changes that tests notice, in percent. Of the others, most change no result. */
const bound = 90;
/** The directory for copies of a package, inside of it. */
const copies = '.mutation';

interface Score {
  readonly changes: number;
  readonly noticed: number;
  readonly percent: number;
  readonly seconds: number;
}

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(areas, name));
if (unknown.length > 0)
  throw new Error(`Unknown area: ${unknown.join(', ')}; expected ${Object.keys(areas).join(', ')}`);

const scores: { [name: string]: Score } = {};
for (const name of positionals.length > 0 ? positionals : Object.keys(areas)) {
  scores[name] = await scoreOf(areas[name]!);
}
console.table(scores);
if (Object.values(scores).some(({ percent }) => percent < bound)) {
  console.error(`Tests must notice at least ${bound} % of the changes in each area`);
  process.exitCode = 1;
}

async function scoreOf(area: Area): Promise<Score> {
  const directory = join(import.meta.dirname, '..', area.package);
  process.chdir(directory);
  process.env['MUTATION_TESTS'] = area.tests.join(',');
  const started = performance.now();
  const results = await new Stryker({
    packageManager: 'pnpm',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    testRunner: 'vitest',
    vitest: { configFile: join(import.meta.dirname, 'vitest.config.ts'), related: false },
    mutate: [...area.sources],
    // The copy uses the tsconfig.json of the package around it: Stryker cannot rewrite it with TypeScript 7.
    ignorePatterns: ['dist', 'tsconfig*.json'],
    tsconfigFile: 'none.json',
    coverageAnalysis: 'perTest',
    concurrency: 2,
    tempDirName: copies,
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false, logTests: false },
  }).runMutationTest();
  rmSync(join(directory, copies), { recursive: true, force: true });
  const count = (...states: string[]) => results.filter(({ status }) => states.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const changes = noticed + count('Survived', 'NoCoverage');
  return {
    changes,
    noticed,
    percent: Math.round((1000 * noticed) / changes) / 10,
    seconds: Math.round((performance.now() - started) / 1000),
  };
}
