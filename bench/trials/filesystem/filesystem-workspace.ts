import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { initialize, received, start } from '../../child.ts';
import type { Program } from '../../trial.ts';

/**
 * 20,000 files of 3.6 KB in 400 directories, one in 500 of them with the word `needle`, and two very large
 * files.
 */
export const world = mkdtempSync(join(tmpdir(), 'bench-filesystem-'));
export const tree = join(world, 'tree');
export const needle = 'findMeHere';
process.on('exit', () => rmSync(world, { recursive: true, force: true }));

let made = false;

export async function makeWorld(): Promise<void> {
  if (made) return;
  made = true;
  for (let file = 0; file < 20_000; file++) {
    const directory = join(tree, `area-${file % 20}`, `part-${Math.floor(file / 20) % 20}`);
    if (file < 400) mkdirSync(directory, { recursive: true });
    const lines = Array.from(
      { length: 72 },
      (_, line) => `export const value_${file}_${line} = 'some of the text';`,
    );
    if (file % 500 === 0) lines[36] = `export const ${needle} = true;`;
    writeFileSync(join(directory, `module-${file}.ts`), `${lines.join('\n')}\n`);
  }
  writeFileSync(
    join(world, 'large.txt'),
    `${'a line of fifty bytes, which repeats for very long.\n'.repeat(1_000_000)}`,
  );
  const sparse = openSync(join(world, 'sparse.txt'), 'w');
  ftruncateSync(sparse, 5 * 1024 ** 3);
  closeSync(sparse);
}

export const ours: Program = {
  args: [fileURLToPath(new URL('../../../servers/filesystem/dist/main.cjs', import.meta.url)), world],
};
export const official: Program = {
  args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')), world],
};

export async function open(program: Program) {
  const server = start(program);
  const ready = received(server, 1);
  server.stdin.write(initialize);
  await ready;
  server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return server;
}

let id = 0;

/** Makes calls, so many at a time; returns the duration and the bytes of the answers. */
export async function call(
  server: Awaited<ReturnType<typeof open>>,
  calls: readonly (readonly [name: string, args: object])[],
  inFlight = 1,
): Promise<{ ms: number; bytes: number }> {
  const requests = calls.map(([name, args]) => {
    const request = { jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { name, arguments: args } };
    return `${JSON.stringify(request)}\n`;
  });
  let bytes = 0;
  let sent = inFlight;
  const answered = received(server, calls.length);
  const goOn = (chunk: Buffer) => {
    bytes += chunk.length;
    let ended = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) ended++;
    if (ended > 0 && sent < requests.length) server.stdin.write(requests.slice(sent, sent + ended).join(''));
    sent += ended;
  };
  server.stdout.on('data', goOn);
  const started = performance.now();
  server.stdin.write(requests.slice(0, inFlight).join(''));
  await answered;
  server.stdout.off('data', goOn);
  return { ms: performance.now() - started, bytes };
}

/** Latencies of pings in ms, sorted, sent one after the other while calls are running. */
export async function pingDuring(
  server: Awaited<ReturnType<typeof open>>,
  calls: readonly (readonly [name: string, args: object])[],
): Promise<number[]> {
  const lines = createInterface({ input: server.stdout });
  const pings: number[] = [];
  for (const [name, args] of calls) {
    const callId = ++id;
    const params = { name, arguments: args };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: callId, method: 'tools/call', params })}\n`);
    let sent = 0;
    const ping = () => {
      sent = performance.now();
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'ping' })}\n`);
    };
    ping();
    await new Promise<void>((resolve) => {
      let isAnswered = false;
      lines.on('line', (line) => {
        const isPing = (JSON.parse(line) as { id: number }).id !== callId;
        if (isPing) pings.push(performance.now() - sent);
        else isAnswered = true;
        if (isPing && isAnswered) resolve();
        else if (isPing) ping();
      });
    });
    lines.removeAllListeners('line');
  }
  lines.close();
  return pings.toSorted((a, b) => a - b);
}
