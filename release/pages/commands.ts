import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { codeBlocks } from '../../docs/test/pages.ts';
import { Program } from './program.ts';
import type { Project } from './project.ts';

const run = promisify(execFile);

/** The port in the commands of the pages. */
const written = '8080';

/**
 * The commands of a page that start its server: the last block of commands that has no output. The last
 * command is the server.
 */
export function startOf(page: string): readonly string[] {
  const block = codeBlocks(page).findLast(({ language }) => language === 'sh');
  assert.ok(block, `${page} has no command that starts the server`);
  return block.code.trim().split('\n');
}

/** Starts the server of a page by its commands, on a free port, and waits until it listens. */
export async function start(
  project: Project,
  commands: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly program: Program; readonly port: string }> {
  const port = await freePort();
  const line = [...commands.slice(0, -1), `exec ${commands.at(-1)}`].join(' && ').replace(written, port);
  const program = Program.start('sh', ['-c', line], project.directory, {
    ...project.env,
    PORT: port,
    ...env,
  });
  await program.printed(/Ready (?:on|in)|listening|Started development/i);
  return { program, port };
}

/** Runs the commands of a page that have output, changed to reach the server, and compares the output. */
export async function expectSessions(
  page: string,
  project: Project,
  change: (command: string) => string,
): Promise<void> {
  const sessions = codeBlocks(page).filter(({ language }) => language === 'console');
  assert.ok(sessions.length > 0, `${page} does not show a call`);
  for (const { code } of sessions) {
    const [, command = '', output = ''] = /^\$ (.*)\n([\s\S]*)$/.exec(code) ?? [];
    const { stdout } = await run('sh', ['-c', change(command)], {
      cwd: project.directory,
      env: { ...process.env, ...project.env },
    });
    assert.equal(stdout, output, command);
  }
}

/** Changes the port of a command. */
export const atPort = (port: string) => (command: string) => command.replace(written, port);

/** A port on which nothing listens. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}
