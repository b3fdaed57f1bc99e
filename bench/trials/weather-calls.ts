import { initialize, memoryMb, received, start, stop } from '../child.ts';
import type { Program, Trial } from '../trial.ts';
import { upstream, weatherProgram } from './weather-world.ts';

const calls = 20_000;
const inFlight = 64;

const echo: Program = { args: ['servers/echo.mjs'] };
const current: Program = { args: [] };
const forecast: Program = { args: [] };
let ours: Program | undefined;
let asked = () => 0;

export const weatherCalls: Trial = {
  name: 'weather-calls',
  about: `${calls} answers about one place that the weather server has in its cache, ${inFlight} in flight, beside as many calls of a one-tool server`,
  implementations: { echo, current, forecast },
  columns: ['calls/s', 'MB after'],
  runs: 7,

  async prepare() {
    const { url, asked: count } = await upstream();
    asked = count;
    ours = weatherProgram('--base-url', url);
  },

  async measure(program) {
    const server = start(program === echo ? echo : ours!);
    const ready = received(server, 1);
    server.stdin.write(initialize);
    await ready;
    const request = (id: number) => {
      const params =
        program === echo
          ? { name: 'echo', arguments: { text: 'Hello' } }
          : { name: program === current ? 'current' : 'forecast', arguments: { place: '52.52,13.41' } };
      return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
    };

    // The first answer fills the cache; what is measured comes from there.
    const first = received(server, 1);
    server.stdin.write(request(1));
    await first;
    const before = asked();
    const started = performance.now();
    await keepInFlight(server, request);
    const seconds = (performance.now() - started) / 1000;
    if (asked() !== before) throw new Error('An answer did not come from the cache');
    const memory = memoryMb(server);
    await stop(server);
    return [calls / seconds, memory];
  },
  goals: [
    { column: 'calls/s', of: 'current', to: 'echo', atLeast: 0.5 },
    { column: 'calls/s', of: 'forecast', to: 'echo', atLeast: 0.5 },
  ],
};

/** Sends a request for each answer, so that always as many are on their way. */
function keepInFlight(server: ReturnType<typeof start>, request: (id: number) => string): Promise<void> {
  let sent = 0;
  let answered = 0;
  return new Promise((resolve) => {
    const send = (count: number) => {
      let text = '';
      for (let each = 0; each < count && sent < calls; each++) text += request(++sent + 1);
      if (text !== '') server.stdin.write(text);
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
