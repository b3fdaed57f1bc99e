import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Runs the tests that generate values, again and again, each time with another seed: `pnpm fuzz`. It ends at
 * the first failure, and prints the command that repeats it.
 *
 *     pnpm fuzz --minutes=60 packages/openapi servers
 */
const { values: options, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '10' } },
  allowPositionals: true,
});
const minutes = Number(options.minutes);
if (!(minutes > 0)) fail(`Invalid --minutes: ${JSON.stringify(options.minutes)}; expected a number above 0`);

const root = join(import.meta.dirname, '..');
const files = globSync('{packages,servers}/*/{src,test}/**/*.test.ts', { cwd: root }).filter(
  (file) =>
    (positionals.length === 0 || positionals.some((path) => isBelow(path, file))) &&
    readFileSync(join(root, file), 'utf8').includes("from 'fast-check'"),
);
if (files.length === 0) fail(`No test that generates values is in ${positionals.join(', ')}`);

const byPackage = Map.groupBy(files, (file) => file.split('/', 2).join('/'));
const end = Date.now() + minutes * 60_000;
let rounds = 0;
do {
  const seed = randomInt(2 ** 31);
  for (const [directory, tests] of byPackage) run(directory, tests, seed);
  rounds += 1;
} while (Date.now() < end);
console.log(`No failure in ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${files.length} test files`);

function run(directory: string, tests: string[], seed: number): void {
  const args = ['exec', 'vitest', 'run', '--reporter=dot', ...tests.map((file) => relative(directory, file))];
  const { status } = spawnSync('pnpm', ['--dir', directory, ...args], {
    cwd: root,
    env: { ...process.env, PROPERTY_SEED: String(seed) },
    stdio: 'inherit',
  });
  if (status === 0) return;
  fail(`To repeat the failure: PROPERTY_SEED=${seed} pnpm --dir ${directory} ${args.join(' ')}`);
}

function isBelow(path: string, file: string): boolean {
  const from = relative(path, file);
  return from === '' || !from.startsWith('..');
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
