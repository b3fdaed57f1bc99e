import { expectCounter, expectHosts } from './expect-counter.ts';
import { atPort, expectSessions, start, startOf } from './commands.ts';
import { Project } from './project.ts';

/** Runs the server of a page by its command, calls it as the page does, and ends it. */
export async function checkServer(page: string, unpacked: string): Promise<void> {
  using project = new Project(page, unpacked);
  const { program, port } = await start(project, startOf(page));
  await using _ = program;
  const url = `http://127.0.0.1:${port}/mcp`;
  await program.during(async () => {
    await expectCounter({ url });
    await program.printed(/count: cancelled[^]*count: cancelled/);
    await expectHosts(url);
    await expectSessions(page, project, atPort(port));
  });
  const { code, output } = await program.end();
  if (code !== 0) throw new Error(`The program ends with ${code} after SIGTERM: ${output}`);
}
