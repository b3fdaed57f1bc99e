import { globSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { changedFiles } from '../scripts/changed-tests/changed-files.ts';
import { type Area, areas } from './areas.ts';
import { changeOf, printed, readAccepted, without } from './survivors.ts';

// Changes the sources of each area in small ways, one at a time, in a copy of the package, and runs the tests
// that reach the change. Fails if no test notices a change and `accepted/<area>.txt` has no reason for it, if
// an accepted change is noticed after all, and if tests notice less than the bound in a whole area.
//
//     pnpm mutate [--changed | --since=<commit>] [area, file or folder …]

/** The least share of changes that tests notice, in percent. */
const bound = 90;
/** The directory for copies of a package, inside of it. */
const copies = '.mutation';
const root = join(import.meta.dirname, '..');

const { values, positionals } = parseArgs({
  options: { changed: { type: 'boolean' }, since: { type: 'string' } },
  allowPositionals: true,
});
// pnpm starts this program in its directory, and leaves the directory of the user in INIT_CWD.
const wanted = positionals.map((name) =>
  Object.hasOwn(areas, name) ? name : relative(root, resolve(process.env['INIT_CWD'] ?? root, name)),
);
const changed = values.changed || values.since ? new Set(changedFiles(root, values.since).files) : undefined;

const scores: { [area: string]: Awaited<ReturnType<typeof scoreOf>> } = {};
for (const [name, area] of Object.entries(areas)) {
  const all = globSync([...area.sources], { cwd: join(root, area.package) }).map((file) =>
    join(area.package, file),
  );
  const selected = all.filter(
    (file) =>
      (wanted.length === 0 || wanted.some((path) => path === name || `${file}/`.startsWith(`${path}/`))) &&
      (changed?.has(file) ?? true),
  );
  if (selected.length > 0) scores[name] = await scoreOf(name, area, selected, all);
}
if (Object.keys(scores).length > 0) console.table(scores);
else if (changed) console.log('No file of an area was changed');
else fail(`No file of an area is in ${wanted.join(', ')}; the areas are ${Object.keys(areas).join(', ')}`);

async function scoreOf(name: string, area: Area, files: readonly string[], all: readonly string[]) {
  const directory = join(root, area.package);
  process.chdir(directory);
  process.env['MUTATION_TESTS'] = area.tests.join(',');
  const started = performance.now();
  const results = await new Stryker({
    packageManager: 'pnpm',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    testRunner: 'vitest',
    vitest: { configFile: join(import.meta.dirname, 'vitest.config.ts'), related: false },
    mutate: files.map((file) => relative(area.package, file)),
    // The copy uses the tsconfig.json of the package around it: Stryker cannot rewrite it with TypeScript 7.
    ignorePatterns: ['dist', 'tsconfig*.json'],
    tsconfigFile: 'none.json',
    coverageAnalysis: 'perTest',
    concurrency: 1,
    tempDirName: copies,
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
  }).runMutationTest();
  rmSync(join(directory, copies), { recursive: true, force: true });

  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const changesWith = (...states: string[]) =>
    results
      .filter(({ status }) => states.includes(status))
      .map((result) => {
        const file = relative(root, resolve(result.fileName));
        return { file, ...changeOf(result, sources.get(file)!) };
      });
  const accepted = readAccepted(name);
  const survivors = changesWith('Survived', 'NoCoverage');
  // On a busy machine, a test of a survivor may end by its timeout.
  const timeouts = changesWith('Timeout');
  const noticed = changesWith('Killed').length + timeouts.length;
  const changes = noticed + survivors.length;
  const percent = Math.round((1000 * noticed) / changes) / 10;

  const unknown = without(survivors, accepted);
  if (unknown.length > 0)
    fail(
      `No test notices these changes; write a test, or a reason in mutation/accepted/${name}.txt:\n${printed(unknown)}`,
    );
  const gone = without(accepted, [...survivors, ...timeouts]).filter(
    ({ file }) => files.includes(file) || !all.includes(file),
  );
  if (gone.length > 0)
    fail(
      `These changes are noticed, or no longer possible; remove them from mutation/accepted/${name}.txt:\n${printed(gone)}`,
    );
  if (files.length === all.length && percent < bound)
    fail(`Tests notice ${percent} % of the changes in ${name}; expected at least ${bound} %`);
  return { changes, noticed, percent, seconds: Math.round((performance.now() - started) / 1000) };
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
