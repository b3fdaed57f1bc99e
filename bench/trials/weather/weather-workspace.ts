import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from '../../trial.ts';

const sample = (name: string) =>
  JSON.parse(
    readFileSync(
      new URL(`../../../packages/weather-data/src/providers/dataset/sample/${name}.json`, import.meta.url),
      'utf8',
    ),
  ) as { hourly?: Series; daily?: Series; current?: { time: number } };

type Series = { time: number[] };

/** A local upstream with the weather of today; it counts its requests. */
export async function upstream(): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(today(request.url!.includes('current=') ? 'berlin-current' : 'berlin-forecast')),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The trial ends with its last measurement.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked: () => asked };
}

/** A document of the sample, moved to today. */
function today(name: string): object {
  const document = sample(name);
  const days = Math.floor(Date.now() / 86_400_000) - Math.floor(Date.UTC(2026, 10, 20) / 86_400_000);
  const move = (time: number) => time + days * 86_400;
  for (const block of [document.hourly, document.daily]) if (block) block.time = block.time.map(move);
  if (document.current) document.current.time = move(document.current.time);
  return document;
}

const main = fileURLToPath(new URL('../../../servers/weather/dist/main.cjs', import.meta.url));

/** The published server with its own directories. */
export function weatherProgram(...args: string[]): Program {
  const home = mkdtempSync(join(tmpdir(), 'bench-weather-'));
  // Node's compile cache is in one of them, so that a trial starts the program once before it measures.
  return {
    args: [main, ...args],
    env: { XDG_DATA_HOME: join(home, 'data'), XDG_CACHE_HOME: join(home, 'cache') },
  };
}
