import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as client from '@mcp/protocol/client';
import type * as stdioModule from '@mcp/protocol/stdio';
import { build } from 'esbuild';
import { repository } from '../pack/pack.ts';

type ClientModule = Pick<typeof client, 'Client' | 'serverAt'>;
type StdioModule = Pick<typeof stdioModule, 'serverCommand'>;

const bin = (name: string) => join(repository, 'release/node_modules/.bin', name);

/** Servers on stdin and stdout, each with its command. */
const stdio: readonly (readonly [what: string, command: string, ...args: string[]])[] = [
  ['Node, ES module', process.execPath, 'server.mjs'],
  ['Node, CommonJS', process.execPath, 'server.cjs'],
  ['Node, CommonJS from TypeScript', process.execPath, 'typed-server.cjs'],
  ['Deno', bin('deno'), 'run', '--allow-all', '--node-modules-dir=manual', 'server.mjs'],
  ['Bun', bin('bun'), 'server.mjs'],
];

/** Servers for the fetch API; each writes its port to stdout, stderr or its control channel. */
const fetching = [
  ['Deno', bin('deno'), 'serve', '--allow-all', '--node-modules-dir=manual', '--host=127.0.0.1', '--port=0'],
  ['Bun', bin('bun')],
  ['workerd', bin('workerd')],
] as const;

/**
 * Compatibility dates of workerd: before 2024-09-23 `Buffer` and `process` are not global,
 * before 2026-02-10 timers are numbers.
 */
const workerdDates = ['2023-10-01', '2026-02-09', '2026-11-01'];

/** Calls a tool of each consumer with the packed client. Throws when a result is wrong. */
export async function checkRuntimes(consumer: string): Promise<void> {
  writeFileSync(
    join(consumer, 'package.json'),
    JSON.stringify({ type: 'module', dependencies: { '@mcp/protocol': '*', '@mcp/watch': '*' } }),
  );
  const entry = (name: string) =>
    pathToFileURL(join(consumer, 'node_modules/@mcp/protocol/dist', `${name}.js`)).href;
  const { Client, serverAt } = (await import(entry('client'))) as ClientModule;
  const { serverCommand } = (await import(entry('stdio'))) as StdioModule;

  for (const [what, command, ...args] of stdio) {
    await expectSum(await Client.connect(serverCommand({ command, args, cwd: consumer })), what);
    console.log(`${what}: a server on stdin and stdout answers`);
  }

  for (const [what, ...command] of fetching) {
    for (const date of what === 'workerd' ? workerdDates : [undefined]) {
      const name = date === undefined ? what : `${what} as of ${date}`;
      await using server = await serveWorker(what, command, consumer, date);
      for (const revision of ['2025-11-25', '2026-07-28']) {
        const connect = () => Client.connect(serverAt(server.url), { revision });
        await expectSum(await connect(), name);
        await expectSum(await connect(), `${name}, by its client`, 'relay', {
          url: server.url,
          revision,
        });
      }
      console.log(`${name}: a server and a client with the fetch API, with a session and without`);
    }
  }
}

async function expectSum(
  server: client.Client,
  what: string,
  tool = 'add',
  args: { readonly [name: string]: unknown } = { a: 1, b: 2 },
): Promise<void> {
  const { content } = await server.callTool(tool, args);
  await server.close();
  const [block] = content;
  if (block?.type !== 'text' || block.text !== '3') {
    throw new Error(`${what}: wrong result of 1 + 2: ${JSON.stringify(content)}`);
  }
}

/** Starts the worker in a runtime on a free port. */
async function serveWorker(
  what: string,
  [command, ...args]: readonly [string, ...string[]],
  consumer: string,
  date: string | undefined,
): Promise<AsyncDisposable & { readonly url: string }> {
  const program = date === undefined ? ['worker.mjs'] : await bundleWorker(consumer, date);
  const child = spawn(command, [...args, ...program], {
    cwd: consumer,
    env: { ...process.env, PORT: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // The runtime gets a process group of its own, so that all its processes can be killed: the command may
    // be a program that starts the runtime as another process.
    detached: true,
  });
  const exited = once(child, 'exit');
  let output = '';
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr, child.stdio[3]]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const found = /"port":(\d+)|(?:127\.0\.0\.1|localhost):(\d+)\/?\s/.exec(output);
        if (found) resolve(found[1] ?? found[2]!);
      });
    }
    void exited.then(() => reject(new Error(`${what} has ended: ${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      process.kill(-child.pid!, 'SIGKILL');
      await exited;
    },
  };
}

/** Bundles the worker as one file, with the modules of Node that it needs. */
async function bundleWorker(consumer: string, date: string): Promise<string[]> {
  const config = readFileSync(join(repository, 'release/check/consumers/workerd.capnp'), 'utf8');
  writeFileSync(join(consumer, 'workerd.capnp'), config.replace('DATE', date));
  await build({
    absWorkingDir: consumer,
    entryPoints: ['worker.mjs'],
    outfile: join(consumer, 'worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'worker'],
    // workerd has these with the flag nodejs_compat.
    external: ['node:buffer', 'node:crypto', 'node:util'],
    logLevel: 'warning',
  });
  return ['serve', 'workerd.capnp', '--control-fd=3'];
}
