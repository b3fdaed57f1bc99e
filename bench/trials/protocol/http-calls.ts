import { start, stop } from '../../child.ts';
import { echoRequest, load } from '../../http-load.ts';
import type { Trial } from '../../trial.ts';

const calls = 10_000;
const connections = 32;

export const httpCalls: Trial = {
  name: 'http-calls',
  about: `${calls} calls over 2026-07-28, ${connections} connections, of a server with one tool and with forty`,
  implementations: {
    ours: { args: ['servers/http.mjs', '1'] },
    'ours, 40 tools': { args: ['servers/http.mjs', '40'] },
    'SDK v2': { args: ['servers/http-sdk-v2.mjs', '1'] },
    'SDK v2, 40 tools': { args: ['servers/http-sdk-v2.mjs', '40'] },
    'bare node:http': { args: ['servers/http-floor.mjs'] },
  },
  columns: ['calls/s'],
  runs: 3,
  async measure(program) {
    const server = start(program);
    const url = await new Promise<URL>((resolve) => {
      server.stdout.once('data', (line: Buffer) => resolve(new URL(line.toString().trim())));
    });
    const request = echoRequest(url);
    await load(url, request, 500, connections);
    const slow = program.args[0]?.includes('sdk') ? calls / 5 : calls;
    const seconds = await load(url, request, slow, connections);
    await stop(server);
    return [slow / seconds];
  },
  goals: [
    { column: 'calls/s', of: 'ours', to: 'SDK v2', atLeast: 6 },
    { column: 'calls/s', of: 'ours, 40 tools', to: 'SDK v2, 40 tools', atLeast: 6 },
    { column: 'calls/s', of: 'ours', to: 'bare node:http', atLeast: 0.5 },
  ],
};
