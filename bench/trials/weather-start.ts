import { fileURLToPath } from 'node:url';
import { initialize, memoryMb, received, start, stop } from '../child.ts';
import type { Program, Trial } from '../trial.ts';
import { weatherProgram } from './weather-world.ts';

const ours = weatherProgram();
const filesystem: Program = {
  args: [
    fileURLToPath(new URL('../../servers/filesystem/dist/main.cjs', import.meta.url)),
    import.meta.dirname,
  ],
};
const bare: Program = { args: ['-e', '0'] };

export const weatherStart: Trial = {
  name: 'weather-start',
  about:
    'From spawn to the answer to initialize, for the servers as they are published; bare node to its exit',
  implementations: { ours, filesystem, 'node -e 0': bare },
  columns: ['ms', 'idle MB'],
  runs: 21,

  async prepare() {
    for (const program of [ours, filesystem]) {
      const server = start(program);
      const ready = received(server, 1);
      server.stdin.end(initialize);
      await ready;
      // Node writes its compile cache when a process ends well.
      await new Promise((resolve) => server.once('exit', resolve));
    }
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
    { column: 'ms', of: 'ours', to: 'filesystem', atMost: 1.1 },
    { column: 'idle MB', of: 'ours', to: 'filesystem', atMost: 1.1 },
  ],
};
