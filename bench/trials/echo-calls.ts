import { initialize, peakMemoryMb, received, start, stop } from '../child.ts';
import type { Trial } from '../trial.ts';

const calls = 50_000;

export const echoCalls: Trial = {
  name: 'echo-calls',
  about: `${calls} calls of a one-tool server over stdio, all sent at once`,
  implementations: {
    ours: { args: ['servers/echo.mjs'] },
    'SDK v1': { args: ['servers/echo-sdk-v1.mjs'] },
    'SDK v2': { args: ['servers/echo-sdk-v2.mjs'] },
    floor: { args: ['servers/floor.mjs'] },
  },
  columns: ['calls/s', 'peak MB'],
  runs: 7,
  async measure(program) {
    const server = start(program);
    const ready = received(server, 1);
    server.stdin.write(initialize);
    await ready;

    const answered = received(server, calls);
    const started = performance.now();
    server.stdin.write(requests);
    await answered;
    const seconds = (performance.now() - started) / 1000;
    const peak = peakMemoryMb(server);
    await stop(server);
    return [calls / seconds, peak];
  },
  goals: [
    { column: 'calls/s', of: 'ours', to: 'SDK v1', atLeast: 5 },
    { column: 'calls/s', of: 'ours', to: 'SDK v2', atLeast: 8 },
    { column: 'calls/s', of: 'ours', to: 'floor', atLeast: 0.5 },
    { column: 'peak MB', of: 'ours', to: 'floor', atMost: 1.5 },
  ],
};

const requests = Array.from({ length: calls }, (_, index) => {
  const params = { name: 'echo', arguments: { text: 'Hello' } };
  return `${JSON.stringify({ jsonrpc: '2.0', id: index + 1, method: 'tools/call', params })}\n`;
}).join('');
