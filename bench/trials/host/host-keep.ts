import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Trial } from '../../trial.ts';
import { HostWorkspace, untilEnded } from './host-workspace.ts';

const official = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
/** The directory whose packages have the server, where `npx` finds it. */
const cwd = fileURLToPath(new URL('../..', import.meta.url));
const npx = ['--offline', '-y', '@modelcontextprotocol/server-filesystem'];
const servers = (directory: string) => ({
  npx: { command: 'npx', args: [...npx, directory], cwd },
  node: { command: process.execPath, args: [official, directory], cwd },
});
const [first, later] = [new HostWorkspace(servers), new HostWorkspace(servers)];
process.once('exit', () => {
  for (const workspace of [first, later]) workspace[Symbol.dispose]();
});

const callOf = (workspace: HostWorkspace) => workspace.command('ours', '--config', workspace.config, 'call');
const implementations = { first: callOf(first), later: callOf(later) };

export const hostKeep: Trial = {
  name: 'host-keep',
  about:
    'From spawn to the end of a command that calls a tool of the official filesystem server, which is started through npx ' +
    'or by node: a first call, and a later one while `mcp keep` holds the server',
  implementations,
  columns: ['npx ms', 'node ms'],
  runs: 11,
  async prepare() {
    const { args, env } = later.command('ours', 'keep', '--foreground');
    const keeper = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    });
    process.once('exit', () => keeper.kill());
    keeper.unref();
    await once(keeper.stdout, 'data');
    keeper.stdout.destroy();
    // The first calls fill the compile cache, and start the servers that are held.
    for (const program of Object.values(implementations)) await this.measure(program);
  },
  async measure({ args, env = {} }) {
    const times: number[] = [];
    for (const name of ['npx', 'node']) {
      const words = [`${name}.read_text_file`, `path=${join(env['HOME'] ?? '', 'a.txt')}`];
      times.push(await untilEnded({ args: [...args, ...words], env }));
    }
    return times;
  },
  goals: [
    { column: 'npx ms', of: 'later', to: 'first', atMost: 0.33 },
    // What is left is the start of `mcp` itself, beside that of a program without a launcher.
    { column: 'node ms', of: 'later', to: 'first', atMost: 0.5 },
  ],
};
