import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { start, stop } from '../../child.ts';
import type { Program, Trial } from '../../trial.ts';
import { official } from '../filesystem/filesystem-workspace.ts';
import { HostWorkspace, hosts } from './host-workspace.ts';

/** So many that the compilation of the programs, which takes some hundred milliseconds, does not count. */
const calls = { files: 20_000, stdio: 200_000, http: 20_000 };
const workspace = new HostWorkspace(() => ({}));
process.once('exit', () => workspace[Symbol.dispose]());

const echo = { tool: 'echo', args: { text: 'Hello' } };
const readFile = { tool: 'read_text_file', args: { path: workspace.text } };

/** Runs the client of this repository: calls of a tool, 64 at once. Returns microseconds per call. */
async function measured(call: object, count: number, ...server: readonly string[]): Promise<number> {
  const { env } = workspace.command('ours');
  const client = spawn(process.execPath, ['clients/ours.mjs', 'calls', String(count), '64', ...server], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env, CALL: JSON.stringify(call) },
  });
  const { seconds } = JSON.parse(await text(client.stdout)) as { seconds: number };
  return (seconds / count) * 1e6;
}

/** The address that a server prints. */
async function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  for await (const line of createInterface(stdout ?? stderr!)) {
    const [address] = /http:\S+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('The server has ended');
}

/** Calls of a server over HTTP: directly, or through `gateway`. */
async function overHttp(gateway: boolean): Promise<number> {
  const server = start({ args: ['servers/http.mjs', '1'] });
  const direct = await addressOf(server);
  if (!gateway) {
    const us = await measured(echo, calls.http, direct);
    await stop(server);
    return us;
  }
  const { args, env } = workspace.command('ours', 'serve', '--http', '0', direct);
  const between = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const us = await measured(echo, calls.http, await addressOf(between));
  const ended = once(between, 'exit');
  between.kill();
  await ended;
  await stop(server);
  return us;
}

const gateway = [hosts.ours, 'serve', '--', process.execPath];

export const gatewayCalls: Trial = {
  name: 'gateway-calls',
  about:
    `Calls through the client, 64 at once: ${calls.files} that read a file from the official filesystem server, ${calls.stdio} of an ` +
    `echo server of the official SDK and of one of ours over stdio, and ${calls.http} of one of ours over HTTP at ` +
    '2026-07-28; directly, and through `mcp serve`, which adds a process',
  implementations: { direct: { args: [] }, gateway: { args: gateway } },
  columns: ['files µs', 'SDK echo µs', 'echo µs', 'HTTP µs'],
  runs: 5,
  async measure({ args }: Program) {
    return [
      await measured(readFile, calls.files, ...args, ...official.args.slice(0, 1), workspace.directory),
      await measured(echo, calls.stdio, ...args, 'servers/echo-sdk-v1.mjs'),
      await measured(echo, calls.stdio, ...args, 'servers/echo.mjs'),
      await overHttp(args.length > 0),
    ];
  },
  goals: [
    { column: 'files µs', of: 'gateway', to: 'direct', atMost: 1.3 },
    // Servers that do nothing: what is measured is one connection beside two. On two cores
    // three processes compete.
    { column: 'SDK echo µs', of: 'gateway', to: 'direct', atMost: 1.5 },
    { column: 'echo µs', of: 'gateway', to: 'direct', atMost: 3 },
    { column: 'HTTP µs', of: 'gateway', to: 'direct', atMost: 3 },
  ],
};
