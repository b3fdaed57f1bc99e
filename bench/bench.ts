import { parseArgs } from 'node:util';
import { runWith } from './child.ts';
import type { Goal, Trial } from './trial.ts';
import { clientHttp, clientStart, clientStdio } from './trials/protocol/client-calls.ts';
import { coldStart } from './trials/start/cold-start.ts';
import { echoCalls } from './trials/protocol/echo-calls.ts';
import { filesystemEdits } from './trials/filesystem/filesystem-edits.ts';
import { filesystemLargeFiles } from './trials/filesystem/filesystem-large-files.ts';
import { filesystemSearch } from './trials/filesystem/filesystem-search.ts';
import { filesystemTree } from './trials/filesystem/filesystem-tree.ts';
import { gatewayCalls } from './trials/host/gateway-calls.ts';
import { gatewayMemory } from './trials/host/gateway-memory.ts';
import { hostCall } from './trials/host/host-call.ts';
import { hostKeep } from './trials/host/host-keep.ts';
import { hostLists } from './trials/host/host-lists.ts';
import { hostVersion } from './trials/host/host-version.ts';
import { httpCalls } from './trials/protocol/http-calls.ts';
import { npxStart } from './trials/start/npx-start.ts';
import { openStreams } from './trials/protocol/open-streams.ts';
import { gitCalls } from './trials/git/git-calls.ts';
import { gitLarge } from './trials/git/git-large.ts';
import { gitStart } from './trials/git/git-start.ts';
import { runCalls } from './trials/run/run-calls.ts';
import { runStart } from './trials/run/run-start.ts';
import { sharedCalls } from './trials/protocol/shared-calls.ts';
import { sharedCommands } from './trials/protocol/shared-commands.ts';
import { sharedIdle } from './trials/protocol/shared-idle.ts';
import { sqliteLarge } from './trials/sqlite/sqlite-large.ts';
import { sqliteRunaway } from './trials/sqlite/sqlite-runaway.ts';
import { sqliteSelect } from './trials/sqlite/sqlite-select.ts';
import { sqliteStart } from './trials/sqlite/sqlite-start.ts';
import { stalledClient } from './trials/protocol/stalled-client.ts';
import { weatherCalls } from './trials/weather/weather-calls.ts';
import { weatherStart } from './trials/weather/weather-start.ts';

const trials = [
  echoCalls,
  coldStart,
  npxStart,
  stalledClient,
  httpCalls,
  openStreams,
  sharedCalls,
  sharedCommands,
  sharedIdle,
  clientStdio,
  clientHttp,
  clientStart,
  hostCall,
  hostKeep,
  hostLists,
  hostVersion,
  gatewayCalls,
  gatewayMemory,
  filesystemTree,
  filesystemSearch,
  filesystemEdits,
  filesystemLargeFiles,
  gitCalls,
  gitLarge,
  gitStart,
  sqliteSelect,
  sqliteLarge,
  sqliteRunaway,
  sqliteStart,
  weatherCalls,
  weatherStart,
  runCalls,
  runStart,
];

const wanted = asked();
if (wanted.node !== undefined) runWith(wanted.node);
process.chdir(import.meta.dirname);

let missed = 0;
for (const trial of wanted.trials) print(trial, await run(trial, wanted.runs ?? trial.runs));
process.exitCode = missed > 0 ? 1 : 0;

function asked(): { readonly trials: readonly Trial[]; readonly runs?: number; readonly node?: string } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { runs: { type: 'string' }, node: { type: 'string' } },
    });
    const runs = values.runs === undefined ? undefined : Number(values.runs);
    if (runs !== undefined && !(Number.isInteger(runs) && runs > 0))
      throw new Error(`--runs takes a number from 1, not "${values.runs}"`);
    const unknown = positionals.find((name) => !trials.some((trial) => trial.name === name));
    if (unknown !== undefined) throw new Error(`There is no trial "${unknown}"`);
    return {
      trials: positionals.length > 0 ? trials.filter(({ name }) => positionals.includes(name)) : trials,
      ...(runs !== undefined && { runs }),
      ...(values.node !== undefined && { node: values.node }),
    };
  } catch (error) {
    console.error(`${(error as Error).message}
Usage: pnpm bench [<trial> …] [--runs <n>] [--node <path>]
Trials: ${trials.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
}

/** Measures the implementations in turn, so that a busy moment of the machine affects all of them. */
async function run(trial: Trial, runs: number): Promise<Map<string, number[]>> {
  const { implementations, columns } = trial;
  const results = new Map(Object.keys(implementations).map((name) => [name, [] as (readonly number[])[]]));
  await trial.prepare?.();
  for (let round = 0; round < runs; round++) {
    for (const [name, program] of Object.entries(implementations))
      results.get(name)?.push(await trial.measure(program));
  }
  return new Map(
    [...results].map(([name, rows]) => [
      name,
      columns.map((_, column) => median(rows.map((row) => row[column] ?? 0))),
    ]),
  );
}

function print(trial: Trial, medians: Map<string, number[]>): void {
  const { name, about, columns, goals } = trial;
  console.log(
    `\n### ${name}\n\n${about}\n\n| | ${columns.join(' | ')} |\n|---|${'---:|'.repeat(columns.length)}`,
  );
  for (const [implementation, values] of medians) {
    console.log(`| ${implementation} | ${values.map(figure).join(' | ')} |`);
  }
  console.log('');
  for (const goal of goals) console.log(verdict(trial, goal, medians));
}

function verdict(
  { columns }: Trial,
  { column, of, to, atLeast, atMost }: Goal,
  medians: Map<string, number[]>,
): string {
  const at = columns.indexOf(column);
  const known = at !== -1 && [of, ...(to === undefined ? [] : [to])].every((name) => medians.has(name));
  if (!known) throw new Error(`A goal of ${column}, ${of} names what is not measured`);
  const value = (medians.get(of)?.[at] ?? 0) / (to === undefined ? 1 : (medians.get(to)?.[at] ?? 0));
  const met = value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
  if (!met) missed++;
  const isBound = atLeast !== undefined || atMost !== undefined;
  const bound = !isBound ? 'no bound' : atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return `- ${!isBound ? 'known' : met ? 'met' : 'MISSED'}: ${column}, ${of}${to === undefined ? '' : ` to ${to}`}: ${value.toFixed(2)} (${bound})`;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function figure(value: number): string {
  if (Number.isNaN(value)) return '';
  return value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}
