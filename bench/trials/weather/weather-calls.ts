import { initialize, memoryMb, received, start, stop } from '../../child.ts';
import type { Program, Trial } from '../../trial.ts';
import { upstream, weatherProgram } from './weather-workspace.ts';

const calls = 50_000;
const inFlight = 64;

const echo: Program = { args: ['servers/echo.mjs'] };
const echoOf2kB: Program = { args: ['servers/echo.mjs'] };
const current: Program = { args: [] };
const forecast: Program = { args: [] };
let ours: Program | undefined;
let asked = () => 0;

export const weatherCalls: Trial = {
  name: 'weather-calls',
  about: `${calls} answers about one place that the weather server has in its cache, ${inFlight} in flight, beside as many calls of a one-tool server`,
  implementations: { echo, 'echo of 2 kB': echoOf2kB, current, forecast },
  columns: ['calls/s', 'MB after'],
  runs: 7,

  async prepare() {
    const { url, asked: count } = await upstream();
    asked = count;
    ours = weatherProgram('--base-url', url);
  },

  async measure(program) {
    const server = start(program === current || program === forecast ? ours! : program);
    const ready = received(server, 1);
    server.stdin.write(initialize);
    await ready;
    const requests = requestsOf(program);

    // The first answer fills the cache, which serves the measured ones.
    const first = received(server, 1);
    server.stdin.write(requests[0]!);
    await first;
    const before = asked();
    const started = performance.now();
    await keepInFlight(server, requests);
    const seconds = (performance.now() - started) / 1000;
    if (asked() !== before) throw new Error('An answer did not come from the cache');
    const memory = memoryMb(server);
    await stop(server);
    return [calls / seconds, memory];
  },
  goals: [
    { column: 'calls/s', of: 'current', atLeast: 20_000 },
    { column: 'calls/s', of: 'forecast', atLeast: 20_000 },
    { column: 'calls/s', of: 'current', to: 'echo', atLeast: 0.5 },
    // The message of a forecast has 840 bytes, that of the current weather 550.
    { column: 'calls/s', of: 'forecast', to: 'echo', atLeast: 0.4 },
  ],
};

/** One more than the measured calls. */
function requestsOf(program: Program): string[] {
  const params =
    program === current || program === forecast
      ? { name: program === current ? 'current' : 'forecast', arguments: { place: '52.52,13.41' } }
      : { name: 'echo', arguments: program === echo ? { text: 'Hello' } : { text: 'Hello', times: 400 } };
  return Array.from(
    { length: calls + 1 },
    (_, id) => `${JSON.stringify({ jsonrpc: '2.0', id: id + 1, method: 'tools/call', params })}\n`,
  );
}

/** Sends one request for each answer, so that the number in flight is constant. */
function keepInFlight(server: ReturnType<typeof start>, requests: readonly string[]): Promise<void> {
  let sent = 1;
  let answered = 0;
  return new Promise((resolve) => {
    const send = (count: number) => {
      const some = requests.slice(sent, sent + count);
      sent += some.length;
      if (some.length > 0) server.stdin.write(some.join(''));
    };
    const count = (chunk: Buffer) => {
      let lines = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
      answered += lines;
      if (answered < calls) return send(lines);
      server.stdout.off('data', count);
      resolve();
    };
    server.stdout.on('data', count);
    send(inFlight);
  });
}
