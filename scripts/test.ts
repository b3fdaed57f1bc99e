import { stripVTControlCharacters } from 'node:util';
import { turbo } from './turbo.ts';

// Builds changed packages and runs the tests of all packages, one after the other, with a line for each. Tests of an
// unchanged package are not run again. `pnpm test`

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

const failures: string[] = [];
const width = Math.max(...packages.map((name) => name.length));
for (const [index, name] of packages.entries()) {
  const began = performance.now();
  process.stdout.write(`${index + 1}/${packages.length}  ${name.padEnd(width)}  `);
  const { failed, output } = await turbo('test', `--filter=${name}`, '--log-prefix=none');
  const plain = stripVTControlCharacters(output);
  const counts = /^ *Tests +(.+)$/m.exec(plain)?.[1] ?? '';
  const [, hits, total] = /^ *Cached: +(\d+) cached, (\d+) total/m.exec(plain) ?? [];
  console.log(
    `${failed ? 'FAILED  ' : ''}${counts}  ${hits !== undefined && hits === total ? 'unchanged' : seconds(began)}`,
  );
  for (const [line] of plain.matchAll(/^Skipped: .+$/gm)) console.log(`     ${line}`);
  if (!failed) continue;
  failures.push(name);
  console.log(output);
}

if (failures.length > 0) fail(`\nFailed after ${seconds(started)}: ${failures.join(', ')}`);
console.log(`All tests passed in ${seconds(started)}`);

function seconds(since: number): string {
  const total = Math.round((performance.now() - since) / 1000);
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}

function fail(output: string): never {
  console.error(output);
  process.exit(1);
}
