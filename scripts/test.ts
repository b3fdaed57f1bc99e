import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { changedFiles } from './changed-tests/changed-files.ts';
import { selectTests, type Selection } from './changed-tests/select-tests.ts';
import { turbo } from './turbo.ts';

// Builds changed packages and runs the tests of all packages, two at a time, with a line for each.
// Tests of an unchanged package are not run again. `pnpm test`
//
// `pnpm test --changed` runs the test files that the change since origin/main can reach, `--since=<commit>`
// since another commit; `--list` only lists them.

/** The packages whose tests take longest, the longest first: a long one that starts last would run alone. */
const longest = [
  '@mcp/test',
  '@mcp/protocol',
  '@mcp/server-git',
  '@mcp/server-sqlite',
  '@mcp/server-filesystem',
  '@mcp/host',
  '@mcp/server-weather',
  '@mcp/server-run',
];
const atATime = 2;

const { values } = parseArgs({
  options: { changed: { type: 'boolean' }, since: { type: 'string' }, list: { type: 'boolean' } },
});
const started = performance.now();
const selection = values.changed || values.since ? selectionSince(values.since) : undefined;
if (selection && (values.list || selection.selected.size === 0)) {
  console.log(listed(selection));
  process.exit();
}

// All packages are built first, because the tests of two packages would build what both need at the same
// time. The tests of a single package build it themselves.
if (selection?.selected.size !== 1) {
  console.log('Building the packages');
  const build = await turbo('build', '--output-logs=errors-only');
  if (build.failed) fail(build.output);
}

const packages = selection ? [...selection.selected.keys()] : await packagesWithTests();
const waiting = [
  ...longest.filter((name) => packages.includes(name)),
  ...packages.filter((name) => !longest.includes(name)),
];
const failures: string[] = [];
const width = Math.max(...packages.map((name) => name.length));
let ended = 0;
await Promise.all(Array.from({ length: atATime }, testNext));

if (selection) console.log(listed(selection));
if (failures.length > 0) fail(`\nFailed after ${seconds(started)}: ${failures.join(', ')}`);
console.log(`${selection ? 'These' : 'All'} tests passed in ${seconds(started)}`);

async function packagesWithTests(): Promise<string[]> {
  const plan = await turbo('test', '--dry=json');
  if (plan.failed) fail(plan.output);
  const { tasks } = JSON.parse(
    plan.output.slice(plan.output.indexOf('{'), plan.output.lastIndexOf('}') + 1),
  ) as {
    tasks: { task: string; package: string; command: string }[];
  };
  return tasks
    .filter(({ task, command }) => task === 'test' && command !== '<NONEXISTENT>')
    .map((each) => each.package);
}

function selectionSince(since: string | undefined): Selection {
  const root = join(import.meta.dirname, '..');
  const { base, files } = changedFiles(root, since);
  console.log(`Changed since ${base.slice(0, 8)}: ${files.join(', ') || 'no file'}`);
  return selectTests(root, files);
}

/** The files that are run, by their package, and what is not. */
function listed({ selected, omitted }: Selection): string {
  const run = [...selected].map(
    ([name, files]) => `Run: ${name}\n${files.map((file) => `  ${file}`).join('\n')}`,
  );
  return [...run, ...omitted.map((each) => `Not run: ${each}`)].join('\n');
}

async function testNext(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await testPackage(name);
}

async function testPackage(name: string): Promise<void> {
  const began = performance.now();
  const files = selection?.selected.get(name);
  const only = files ? ['--', ...files] : [];
  const { failed, output } = await turbo('test', `--filter=${name}`, '--log-prefix=none', ...only);
  const plain = stripVTControlCharacters(output);
  const counts = /^ *Tests +(.+)$/m.exec(plain)?.[1] ?? '';
  const [, hits, total] = /^ *Cached: +(\d+) cached, (\d+) total/m.exec(plain) ?? [];
  const time = hits !== undefined && hits === total ? 'unchanged' : seconds(began);
  ended++;
  console.log(
    `${ended}/${packages.length}  ${name.padEnd(width)}  ${failed ? 'FAILED  ' : ''}${counts}  ${time}`,
  );
  for (const [line] of plain.matchAll(/^Skipped: .+$/gm)) console.log(`     ${line}`);
  if (!failed) return;
  failures.push(name);
  console.log(output);
}

function seconds(since: number): string {
  const total = Math.round((performance.now() - since) / 1000);
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}

function fail(output: string): never {
  console.error(output);
  process.exit(1);
}
