import { setTimeout as wait } from 'node:timers/promises';
import { initialize, peakMemoryMb, received, start, stop } from '../../child.ts';
import type { Trial } from '../../trial.ts';

const calls = 20_000;
const answer = { text: 'x', times: 20_000 };

export const stalledClient: Trial = {
  name: 'stalled-client',
  about: `${calls} calls with answers of 20 kB to a client that stops reading for 5 seconds`,
  implementations: {
    ours: { args: ['servers/echo.mjs'] },
    'SDK v1': { args: ['servers/echo-sdk-v1.mjs'] },
    'SDK v2': { args: ['servers/echo-sdk-v2.mjs'] },
  },
  columns: ['peak MB'],
  runs: 1,
  async measure(program) {
    const server = start(program);
    const ready = received(server, 1);
    server.stdin.write(initialize);
    await ready;

    server.stdout.pause();
    let id = 0;
    const send = () => {
      while (id < calls) {
        const params = { name: 'echo', arguments: answer };
        const request = { jsonrpc: '2.0', id: ++id, method: 'tools/call', params };
        if (!server.stdin.write(`${JSON.stringify(request)}\n`)) return;
      }
      server.stdin.off('drain', send);
    };
    server.stdin.on('drain', send).on('error', () => {});
    send();
    await wait(5_000);
    const peak = peakMemoryMb(server);
    await stop(server);
    return [peak];
  },
  goals: [{ column: 'peak MB', of: 'ours', atMost: 150 }],
};
