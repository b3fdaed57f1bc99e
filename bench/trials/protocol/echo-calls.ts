import { initialize, peakMemoryMb, received, start, stop } from '../../child.ts';
import type { Trial } from '../../trial.ts';

/** While the first calls run, V8 still compiles the program. */
const first = 50_000;
const next = 200_000;

export const echoCalls: Trial = {
  name: 'echo-calls',
  about: `${first} calls of a one-tool server over stdio from its start, all sent at once, and then ${next}`,
  implementations: {
    ours: { args: ['servers/echo.mjs'] },
    'ours, one wrap': { args: ['servers/echo.mjs', 'wrapped'] },
    'SDK v1': { args: ['servers/echo-sdk-v1.mjs'] },
    'SDK v2': { args: ['servers/echo-sdk-v2.mjs'] },
    floor: { args: ['servers/floor.mjs'] },
  },
  columns: ['first calls/s', 'calls/s', 'peak MB'],
  runs: 7,
  async measure(program) {
    const server = start(program);
    const ready = received(server, 1);
    server.stdin.write(initialize);
    await ready;

    const fresh = await rate(server, firstRequests, first);
    const peak = peakMemoryMb(server);
    const warm = await rate(server, nextRequests, next);
    await stop(server);
    return [fresh, warm, peak];
  },
  goals: [
    { column: 'first calls/s', of: 'ours', to: 'SDK v1', atLeast: 5 },
    { column: 'first calls/s', of: 'ours', to: 'SDK v2', atLeast: 8 },
    { column: 'first calls/s', of: 'ours', to: 'floor', atLeast: 0.45 },
    { column: 'calls/s', of: 'ours', to: 'floor', atLeast: 0.6 },
    { column: 'calls/s', of: 'ours, one wrap', to: 'ours', atLeast: 0.9 },
    { column: 'peak MB', of: 'ours', to: 'floor', atMost: 1.5 },
  ],
};

const firstRequests = requests(first);
const nextRequests = requests(next);

function requests(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const params = { name: 'echo', arguments: { text: 'Hello' } };
    return `${JSON.stringify({ jsonrpc: '2.0', id: index + 1, method: 'tools/call', params })}\n`;
  }).join('');
}

/** Sends all requests together, and returns the calls per second until the last answer. */
async function rate(server: ReturnType<typeof start>, text: string, calls: number): Promise<number> {
  const answered = received(server, calls);
  const started = performance.now();
  server.stdin.write(text);
  await answered;
  return (calls / (performance.now() - started)) * 1000;
}
