import { cpSync, existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocks } from '../../docs/test/pages.ts';
import { mountNamespaces } from '../check/check-containers.ts';
import { checkDockerfile } from '../check/check-dockerfiles.ts';
import { repository } from '../pack/pack.ts';
import { atPort, expectSessions, freePort } from './commands.ts';
import { expectCounter } from './expect-counter.ts';
import { Program } from './program.ts';
import { Project } from './project.ts';

const page = 'deploy/container.md';
const token = 'correct-horse';
const dockerfile = codeBlocks(page).find(({ file }) => file === 'Dockerfile')!.code;
const command = JSON.parse(/^CMD (.*)/m.exec(dockerfile)![1]!) as string[];

/** Runs the container of the page without an engine; returns why not, where that is not possible. */
export async function checkContainer(unpacked: string): Promise<string | undefined> {
  using project = new Project(page, unpacked);
  checkDockerfile(join(project.directory, 'Dockerfile'));
  const namespaces = mountNamespaces();
  if (!namespaces) return 'no mount namespace may be made';
  const port = await freePort();
  const root = fileTree(project);
  const container = [join(repository, 'release/check/container.sh'), root, process.execPath, '', '', ''];
  const program = Program.start(
    'unshare',
    // The program is the first process, as in a container.
    [
      ...namespaces,
      '--pid',
      '--fork',
      'sh',
      ...container,
      'env',
      `MCP_TOKEN=${token}`,
      `PORT=${port}`,
      ...command,
    ],
    project.directory,
  );
  await using _ = program;
  await program.printed(/listening/);

  await program.during(() => expectService(project, port));
  await program.end(0, program.child);
  return undefined;
}

async function expectService(project: Project, port: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/mcp`;
  await expectCounter(url, { Authorization: `Bearer ${token}` });
  const { status } = await fetch(url);
  if (status !== 401) throw new Error(`A request without the token gets ${status}`);
  const host = codeBlocks(page).find(({ file }) => file === '.mcp.json')!.code;
  project.put('.mcp.json', host.replace('8080', port));
  project.env['MCP_TOKEN'] = token;
  await expectSessions(page, project, atPort(port));
}

/** The file tree of the image: what the Dockerfile copies, and what it installs. */
function fileTree({ directory }: Project): string {
  const root = join(directory, 'root');
  const copied = [...dockerfile.matchAll(/^COPY (.*) \.\/$/gm)].flatMap(([, files = '']) => files.split(' '));
  for (const file of [...copied, 'node_modules'].filter((each) => existsSync(join(directory, each))))
    cpSync(join(directory, file), join(root, 'app', file), { recursive: true });
  const zod = realpathSync(join(repository, 'release/pages/node_modules/zod'));
  cpSync(zod, join(root, 'app/node_modules/zod'), { recursive: true });
  return root;
}
