import { stripVTControlCharacters } from 'node:util';
import { turbo } from './turbo.ts';

// Builds changed packages and runs the tests of all packages, two at a time, with a line for each.
// Tests of an unchanged package are not run again. `pnpm test`

/** The packages whose tests take longest, the longest first: a long one that starts last would run alone. */
const longest = [
  '@mcp/test',
  '@mcp/protocol',
  '@mcp/server-git',
  '@mcp/server-sqlite',
  '@mcp/server-filesystem',
  '@mcp/host',
  '@mcp/server-weather',
];
const atATime = 2;

const started = performance.now();
console.log('Building the packages');
const build = await turbo('build', '--output-logs=errors-only');
if (build.failed) fail(build.output);

const plan = await turbo('test', '--dry=json');
if (plan.failed) fail(plan.output);
const { tasks } = JSON.parse(
  plan.output.slice(plan.output.indexOf('{'), plan.output.lastIndexOf('}') + 1),
) as {
  tasks: { task: string; package: string; command: string }[];
};
const packages = tasks
  .filter(({ task, command }) => task === 'test' && command !== '<NONEXISTENT>')
  .map((each) => each.package);

const waiting = [
  ...longest.filter((name) => packages.includes(name)),
  ...packages.filter((name) => !longest.includes(name)),
];
const failures: string[] = [];
const width = Math.max(...packages.map((name) => name.length));
let ended = 0;
await Promise.all(Array.from({ length: atATime }, testNext));

if (failures.length > 0) fail(`\nFailed after ${seconds(started)}: ${failures.join(', ')}`);
console.log(`All tests passed in ${seconds(started)}`);

async function testNext(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await testPackage(name);
}

async function testPackage(name: string): Promise<void> {
  const began = performance.now();
  const { failed, output } = await turbo('test', `--filter=${name}`, '--log-prefix=none');
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
