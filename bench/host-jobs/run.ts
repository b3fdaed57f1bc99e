import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../measure.ts';
import { HttpServers } from './http-servers.ts';
import type { Job } from './job.ts';
import { jobs } from './jobs.ts';
import { measureStarts } from './measure-starts.ts';
import { type Measured, perform } from './perform.ts';
import { Place } from './place.ts';
import { peers, type ProgramName, programs } from './programs.ts';
import { type Outcome, type Results, resultsFile } from './results.ts';

// Does the jobs with each program, in turn, and writes what came out into results.json, from which
// `node docs/host-jobs.ts` writes the page. It needs `pnpm install` and `pnpm --dir bench install`. With the
// numbers of jobs as arguments, it does these again, and leaves the other results as they are.

const chosen = process.argv.slice(2).map(Number);
const rounds = 3;
/** On a busy machine, a program may miss a time limit of its own. */
const maxAttempts = 3;

await using http = await HttpServers.start();
const places = new Map(programs.map(({ name }) => [name, new Place(http.variables)]));
process.once('exit', () => {
  for (const place of places.values()) place[Symbol.dispose]();
});

/** Does a job with each program that has commands for it: until it is done, then in turn. */
async function compare(job: Job): Promise<Results['jobs'][number]> {
  const done = new Map<ProgramName, Measured[]>();
  const outcomes = new Map<ProgramName, Outcome>();
  for (const { name } of programs) {
    const commands = job.commands[name];
    if (typeof commands === 'string') continue;
    for (let attempt = 0; attempt < maxAttempts && !done.has(name); attempt++) {
      const first = await perform(job, commands, places.get(name)!);
      outcomes.set(name, { ...first, ms: Math.round(first.ms) });
      // The first run fills caches, and is not counted.
      if (first.wrong === undefined) done.set(name, []);
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, runs] of done) {
      const commands = job.commands[name] as readonly string[];
      const run = await perform(job, commands, places.get(name)!);
      if (run.wrong === undefined) runs.push(run);
    }
  }
  for (const [name, runs] of done) {
    if (runs.length > 0)
      outcomes.set(name, { ms: Math.round(medianOf(runs, 'ms')), bytes: medianOf(runs, 'bytes') });
  }
  return Object.fromEntries(outcomes);
}

const medianOf = (runs: readonly Measured[], field: 'ms' | 'bytes') => median(runs.map((run) => run[field]));

const before = chosen.length === 0 ? undefined : (JSON.parse(readFileSync(resultsFile, 'utf8')) as Results);
const found: Results['jobs'][number][] = [];
for (const [index, job] of jobs.entries()) {
  if (before && !chosen.includes(index + 1)) {
    found.push(before.jobs[index]!);
    continue;
  }
  console.log(`${index + 1} of ${jobs.length}: ${job.title}`);
  found.push(await compare(job));
}
const { devDependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};
const others = ['server-everything', 'server-memory'].map((name) => `@modelcontextprotocol/${name}`);
const named = [...peers.map(({ packageName }) => packageName), ...others];
const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  versions: Object.fromEntries(named.map((name) => [name, devDependencies[name]!])),
  starts: before?.starts ?? measureStarts(places.get('mcp')!),
  jobs: found,
};
writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
