import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { start, stop } from '../../child.ts';
import type { Program, Trial } from '../../trial.ts';

const clients = {
  ours: { args: ['clients/ours.mjs'] },
  'SDK v1': { args: ['clients/sdk-v1.mjs'] },
  'SDK v2': { args: ['clients/sdk-v2.mjs'] },
  'minimal loop': { args: ['clients/bare.mjs'] },
};

/** What a client program prints, run with these arguments. */
async function measured({ args }: Program, ...rest: readonly string[]): Promise<{ [name: string]: number }> {
  const child = spawn(process.execPath, [...args, ...rest], { stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(await text(child.stdout)) as { [name: string]: number };
}

function columnsOf({ seconds = NaN, cpuUs = NaN, peakMb = NaN }: { [name: string]: number }, calls: number) {
  return [calls / seconds, cpuUs, peakMb];
}

const columns = ['calls/s', 'CPU µs/call', 'peak MB'];
const goals = [
  { column: 'CPU µs/call', of: 'ours', to: 'SDK v2', atMost: 0.5 },
  { column: 'peak MB', of: 'ours', to: 'SDK v2', atMost: 0.75 },
];
const ofLoop = { column: 'CPU µs/call', of: 'ours', to: 'minimal loop' };

const stdioCalls = 30_000;

export const clientStdio: Trial = {
  name: 'client-stdio',
  about: `${stdioCalls} calls through a client, 1,000 at once, to the minimal server over stdio, at 2025-11-25`,
  implementations: clients,
  columns,
  runs: 5,
  async measure(program) {
    const result = await measured(program, 'calls', String(stdioCalls), '1000', 'servers/floor.mjs');
    return columnsOf(result, stdioCalls);
  },
  goals: [{ column: 'calls/s', of: 'ours', to: 'SDK v2', atLeast: 4 }, ...goals, { ...ofLoop, atMost: 4 }],
};

const httpCalls = 5_000;

export const clientHttp: Trial = {
  name: 'client-http',
  about: `${httpCalls} calls through a client, 32 at once, to the minimal server over HTTP; v1 by a handshake, the others at 2026-07-28`,
  implementations: clients,
  columns,
  runs: 5,
  async measure(program) {
    const server = start({ args: ['servers/client-http-floor.mjs'] });
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const result = await measured(program, 'calls', String(httpCalls), '32', line.toString().trim());
    await stop(server);
    return columnsOf(result, httpCalls);
  },
  goals: [
    // The minimal loop makes about 4.3 times the calls of SDK v2: Node's HTTP takes the rest of the time.
    { column: 'calls/s', of: 'ours', to: 'SDK v2', atLeast: 3 },
    { column: 'calls/s', of: 'ours', to: 'minimal loop', atLeast: 0.7 },
    ...goals,
    { ...ofLoop, atMost: 1.6 },
  ],
};

export const clientStart: Trial = {
  name: 'client-start',
  about:
    'From the start of the minimal server over stdio to its first result; minimal loop: no protocol library',
  implementations: clients,
  columns: ['ms'],
  runs: 15,
  async measure(program) {
    return [(await measured(program, 'first', 'servers/floor.mjs'))['ms'] ?? NaN];
  },
  // Two processes start together; their order on two cores moves the ratio between 1.06 and 1.12.
  goals: [{ column: 'ms', of: 'ours', to: 'minimal loop', atMost: 1.2 }],
};
