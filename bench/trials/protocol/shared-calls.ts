import { start, stop } from '../../child.ts';
import { callInSession, echoRequest, load, openedSession } from '../../http-load.ts';
import { Redis } from '../../redis.ts';
import type { Program, Trial } from '../../trial.ts';

const calls = 10_000;
const inFlight = 64;
const program = 'servers/http-shared.mjs';

export const sharedCalls: Trial = {
  name: 'shared-calls',
  about: `${calls} calls over HTTP, ${inFlight} in flight, of a session of 2025-11-25 and without one (2026-07-28)`,
  implementations: {
    'in memory': { args: [program] },
    'with Redis': { args: [program, 'redis'] },
  },
  columns: ['calls/s in a session', 'calls/s without'],
  runs: 5,
  async measure({ args: [path = '', store] }: Program) {
    await using redis = store === 'redis' ? await Redis.start() : undefined;
    const server = start({ args: [path, ...(redis ? [redis.url] : [])] });
    const url = await new Promise<URL>((resolve) => {
      server.stdout.once('data', (line: Buffer) => resolve(new URL(line.toString().trim())));
    });
    const rates = [];
    for (const request of [callInSession(url, await openedSession(url)), echoRequest(url)]) {
      await load(url, request, 2_000, inFlight);
      rates.push(calls / (await load(url, request, calls, inFlight)));
    }
    await stop(server);
    return rates;
  },
  goals: [
    { column: 'calls/s in a session', of: 'with Redis', to: 'in memory', atLeast: 0.91 },
    { column: 'calls/s without', of: 'with Redis', to: 'in memory', atLeast: 0.91 },
  ],
};
