import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpServers } from '../../bench/host-jobs/http-servers.ts';
import { jobs } from '../../bench/host-jobs/jobs.ts';
import { areInstalled, Place } from '../../bench/host-jobs/place.ts';
import { ours, peers } from '../../bench/host-jobs/programs.ts';
import { type Results, resultsFile } from '../../bench/host-jobs/results.ts';
import { hasTerminals } from '../../packages/host/test/terminal.ts';
import { withResults } from '../host-jobs.ts';
import { rowsOf } from './blocks.ts';
import { readPage, repository } from './pages.ts';

const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;

test('host-jobs.md has the results, and the commands as they are', () => {
  const text = readPage('host-jobs.md');
  expect(rowsOf(text), 'run `node docs/host-jobs.ts`').toEqual(rowsOf(withResults(text)));
});

test('the results are of the versions that bench installs, and of these jobs', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(repository, 'bench/package.json'), 'utf8')) as {
    readonly devDependencies: object;
  };
  expect(devDependencies).toMatchObject(results.versions);
  expect(results.jobs.map((each) => Object.keys(each))).toEqual(
    jobs.map(({ commands }) =>
      Object.entries(commands).flatMap(([name, lines]) => (typeof lines === 'string' ? [] : [name])),
    ),
  );
});

test.each(jobs.map((job, index) => [job.title, job, results.jobs[index]!] as const))(
  'no peer is better: %s',
  (_, { commands }, outcomes) => {
    expect(outcomes[ours.name]?.wrong).toBeUndefined();
    for (const { name } of peers) {
      const outcome = outcomes[name];
      if (outcome && outcome.wrong === undefined)
        expect(commands[name].length, name).toBeGreaterThanOrEqual(commands[ours.name].length);
    }
  },
);

if (!areInstalled)
  process.stdout.write('Skipped: the jobs of mcp: run `pnpm --dir bench install`, which has the servers\n');

describe.skipIf(!areInstalled || !hasTerminals)('mcp does the job', () => {
  let http: HttpServers;
  let place: Place;

  beforeAll(async () => {
    const { HttpServers } = await import('../../bench/host-jobs/http-servers.ts');
    http = await HttpServers.start();
    place = new Place(http.variables);
  });

  afterAll(async () => {
    place[Symbol.dispose]();
    await http[Symbol.asyncDispose]();
  });

  test.each(jobs.map((job) => [job.title, job] as const))('%s', async (_, job) => {
    const { perform } = await import('../../bench/host-jobs/perform.ts');
    expect((await perform(job, job.commands[ours.name] as readonly string[], place)).wrong).toBeUndefined();
  });
});
