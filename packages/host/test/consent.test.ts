import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '@mcp/test-kit';
import { afterAll, expect, test } from 'vitest';
import { program, Workspace } from './workspace.ts';

const workspace = new Workspace();
const { env } = workspace;
afterAll(() => workspace[Symbol.dispose]());

/** A project with this entry of a server `s`, and a script `server.sh` that leaves a file `started`. */
function project(name: string, entry: object): string {
  const file = join(workspace.directory.root, name, '.mcp.json');
  mkdirSync(dirname(file));
  writeFileSync(file, JSON.stringify({ mcpServers: { s: entry } }));
  writeFileSync(join(dirname(file), 'server.sh'), 'touch started\n');
  return dirname(file);
}

test('consent to a relative command in one project does not start the same command in another', async () => {
  const entry = { command: 'sh', args: ['./server.sh'] };
  const [agreed, other] = [project('agreed', entry), project('other', entry)];
  await runProgram(program, ['--yes', 'ping', 's'], { env, cwd: agreed });
  expect(existsSync(join(agreed, 'started'))).toBe(true);
  const refused = await runProgram(program, ['ping', 's'], { env, cwd: other });
  expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining('no consent') });
  expect(existsSync(join(other, 'started'))).toBe(false);
  await runProgram(program, ['ping', 's'], { env, cwd: agreed });
});
