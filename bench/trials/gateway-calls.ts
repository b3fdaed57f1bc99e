import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { start, stop } from '../child.ts';
import type { Program, Trial } from '../trial.ts';
import { HostWorkspace, hosts } from './host-workspace.ts';

/** So many that the compilation of the programs, which takes some hundred milliseconds, does not count. */
const calls = { stdio: 200_000, http: 20_000 };
const workspace = new HostWorkspace(() => ({}));
process.once('exit', () => workspace[Symbol.dispose]());

/** Runs the client of this repository: calls of the tool `echo`, 64 at once. Returns microseconds per call. */
async function measured(count: number, ...server: readonly string[]): Promise<number> {
  const { env } = workspace.command('ours');
  const client = spawn(process.execPath, ['clients/ours.mjs', 'calls', String(count), '64', ...server], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
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
    const us = await measured(calls.http, direct);
    await stop(server);
    return us;
  }
  const { args, env } = workspace.command('ours', 'serve', '--http', '0', direct);
  const between = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const us = await measured(calls.http, await addressOf(between));
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
    `${calls.stdio} calls through the client, 64 at once, of an echo server of the official SDK and of one of ours over ` +
    `stdio, and ${calls.http} of one of ours over HTTP at 2026-07-28; directly, and through \`mcp serve\`, which adds a process`,
  implementations: { direct: { args: [] }, gateway: { args: gateway } },
  columns: ['SDK stdio µs', 'stdio µs', 'HTTP µs'],
  runs: 5,
  async measure({ args }: Program) {
    return [
      await measured(calls.stdio, ...args, 'servers/echo-sdk-v1.mjs'),
      await measured(calls.stdio, ...args, 'servers/echo.mjs'),
      await overHttp(args.length > 0),
    ];
  },
  goals: [
    { column: 'SDK stdio µs', of: 'gateway', to: 'direct', atMost: 1.3 },
    // Servers whose own work for a call is less than that of a second connection.
    { column: 'stdio µs', of: 'gateway', to: 'direct', atMost: 2.5 },
    { column: 'HTTP µs', of: 'gateway', to: 'direct', atMost: 3 },
  ],
};
