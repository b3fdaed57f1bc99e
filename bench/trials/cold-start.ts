import { fileURLToPath } from 'node:url';
import { initialize, memoryMb, received, start, stop } from '../child.ts';
import type { Program, Trial } from '../trial.ts';

const directory = import.meta.dirname;
const bare: Program = { args: ['-e', '0'] };
const ours: Program = {
  args: [fileURLToPath(new URL('../../servers/filesystem/dist/main.cjs', import.meta.url)), directory],
};
const first: Program = { ...ours, env: { NODE_DISABLE_COMPILE_CACHE: '1' } };
const official: Program = {
  args: [
    fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')),
    directory,
  ],
};

export const coldStart: Trial = {
  name: 'cold-start',
  about:
    'From spawn to the answer to initialize, for the filesystem server as it is published; ' +
    'bare node to its exit. The very first start finds no compile cache',
  implementations: { ours, 'ours, first': first, official, 'node -e 0': bare },
  columns: ['ms', 'idle MB'],
  runs: 21,

  async prepare() {
    const server = start(ours);
    const ready = received(server, 1);
    server.stdin.end(initialize);
    await ready;
    // Node writes its compile cache when a process ends well.
    await new Promise((resolve) => server.once('exit', resolve));
  },

  async measure(program) {
    const started = performance.now();
    const server = start(program);
    if (program === bare) {
      await new Promise((resolve) => server.once('exit', resolve));
      return [performance.now() - started, Number.NaN];
    }
    const ready = received(server, 1);
    server.stdin.write(initialize);
    await ready;
    const ms = performance.now() - started;
    const idle = memoryMb(server);
    await stop(server);
    return [ms, idle];
  },
  goals: [
    { column: 'ms', of: 'ours', to: 'node -e 0', atMost: 1.4 },
    { column: 'ms', of: 'ours', to: 'official', atMost: 0.45 },
  ],
};
