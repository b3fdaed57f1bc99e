// What each client program does: `calls <n> <at once> <server>` prints the seconds that the calls took,
// the microseconds of the client's CPU for each, and the most memory it has held, in MB; `first <server>` the
// milliseconds from the start of the server to its first result. A server is a URL, or arguments for node.
// CALL has the tool and its arguments, as JSON.

const { tool, args: given } = JSON.parse(process.env['CALL'] ?? '{"tool":"echo","args":{"text":"Hello"}}');

/** Measures a client. `connect` returns how it calls a tool and how it closes. */
export async function run(connect) {
  const [mode, ...rest] = process.argv.slice(2);
  const [calls, atOnce] = mode === 'calls' ? rest.splice(0, 2).map(Number) : [1, 1];
  const [server = ''] = rest;
  const target = server.startsWith('http') ? { url: server } : { command: process.execPath, args: rest };
  const started = performance.now();
  const { call, close } = await connect(target);
  if (mode === 'first') {
    await call(tool, given);
    console.log(JSON.stringify({ ms: performance.now() - started }));
    return close();
  }
  await Promise.all(Array.from({ length: 200 }, () => call(tool, given)));
  let left = calls;
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const work = async () => {
    while (left-- > 0) await call(tool, given);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ seconds, cpuUs: (user + system) / calls, peakMb }));
  return close();
}
