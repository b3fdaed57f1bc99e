import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { faults } from './faults.ts';
import { simulationWith } from './load.ts';
import { linesOf, scheduleOf } from './schedule.ts';
import { described, outside, search } from './search.ts';

// Proof by simulation: `pnpm simulate --seeds 100000`, and `--seed 7` to see what happens with that seed.
// With `--faults`, finds a schedule for each fault that the code could have. `--seed 7 --commands` prints the
// commands to Redis with the replies of its model, as JSON.

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    faults: { type: 'boolean', default: false },
    commands: { type: 'boolean', default: false },
  },
});
const { faults: isFindingFaults, commands: isPrintingCommands, ...texts } = values;
for (const [name, text] of Object.entries(texts))
  if (!/^\d+$/.test(text)) {
    console.error(`Invalid --${name}: ${JSON.stringify(text)}; expected an integer of 0 or more`);
    process.exit(2);
  }
const [seeds, from, workers] = [Number(texts.seeds), Number(texts.from), Number(texts.workers)];
const seed = texts.seed === undefined ? undefined : Number(texts.seed);

/** The most seeds that may be needed to find a fault. */
const maxSeeds = 3_000;

Error.stackTraceLimit = seed === undefined ? 0 : 10;
if (isFindingFaults) await findFaults();
else if (seed !== undefined) await tell(seed);
else if (workers > 1) await share();
else await run();

async function run(): Promise<void> {
  const { simulate } = await simulationWith();
  const failure = await search(simulate, from, seeds);
  if (!failure) return console.log(`${seeds} seeds from ${from} on: everything holds`);
  for (const line of await described(failure, simulate)) console.error(line);
  process.exitCode = 1;
}

/** Shares the seeds out among processes. */
async function share(): Promise<void> {
  const each = Math.ceil(seeds / workers);
  const codes = Array.from({ length: workers }, async (_, index) => {
    const first = from + index * each;
    const args = ['--workers', '1', '--from', first, '--seeds', Math.min(each, from + seeds - first)];
    const program = [...process.execArgv, import.meta.filename, ...args.map(String)];
    const [code] = (await once(spawn(process.execPath, program, { stdio: 'inherit' }), 'exit')) as [number];
    return code;
  });
  process.exitCode = Math.max(...(await Promise.all(codes)));
}

async function tell(told: number): Promise<void> {
  const { simulate } = await simulationWith();
  const { violation, lines, commands } = await outside(() => simulate(scheduleOf(told), true));
  if (isPrintingCommands) return console.log(JSON.stringify(commands));
  console.log([...linesOf(scheduleOf(told)), ...lines].join('\n'));
  if (violation === undefined) return console.log('Everything holds');
  const failure = { seed: told, violation };
  for (const line of await described(failure, simulate)) console.error(line);
  process.exitCode = 1;
}

async function findFaults(): Promise<void> {
  for (const [index, fault] of faults.entries()) {
    const { simulate } = await simulationWith(index);
    const failure = await search(simulate, fault.from, maxSeeds);
    console.log(`${failure ? 'Found' : 'Not found'}: ${fault.name}`);
    if (failure) for (const line of await described(failure, simulate)) console.log(`  ${line}`);
    else process.exitCode = 1;
  }
}
