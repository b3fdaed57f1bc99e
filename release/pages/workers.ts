import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectCounter, expectHosts } from './expect-counter.ts';
import { atPort, expectSessions, start, startOf } from './commands.ts';
import { Project } from './project.ts';

const page = 'deploy/cloudflare-workers.md';

/** Without a network, wrangler takes an invented `request.cf`. */
const env = { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' };

/** Runs the Worker of the page with wrangler, alone and in a Durable Object. */
export async function checkWorkers(unpacked: string): Promise<void> {
  using project = new Project(page, unpacked);
  await checkWorker(project);
  const configuration = Object.assign(
    {},
    ...['wrangler.json', 'object.json'].map((file) =>
      JSON.parse(readFileSync(join(project.directory, file), 'utf8')),
    ),
  ) as object;
  project.put('wrangler.json', JSON.stringify(configuration));
  await checkWorker(project);
}

async function checkWorker(project: Project): Promise<void> {
  const { program, port } = await start(project, startOf(page), env);
  await using _ = program;
  const url = `http://localhost:${port}/mcp`;
  await program.during(async () => {
    await expectCounter(url);
    await program.printed(/count: cancelled[^]*count: cancelled/);
    await expectHosts(url);
    await expectSessions(page, project, atPort(port));
  });
}
