import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initialize, memoryMb, received, start, stop } from '../child.ts';
import type { Program, Trial } from '../trial.ts';
import {
  Asking,
  dbhub,
  elapsed,
  makeDatabase,
  ours,
  sqliteTools,
  type SqliteProgram,
} from './sqlite-world.ts';

const bare: Program = { args: ['-e', '0'] };
const filesystem: Program = {
  args: [
    fileURLToPath(new URL('../../servers/filesystem/dist/main.cjs', import.meta.url)),
    import.meta.dirname,
  ],
};

export const sqliteStart: Trial = {
  name: 'sqlite-start',
  about:
    'From spawn to the answer to initialize, beside the filesystem server, which has no children; then, once a query is ' +
    'answered, the memory of the server and of its children (resident, with what processes share counted in each)',
  implementations: {
    ours,
    filesystem,
    'mcp-sqlite-tools': sqliteTools,
    '@bytebase/dbhub': dbhub,
    'node -e 0': bare,
  },
  columns: ['ms', 'idle MB', 'children MB', 'children'],
  runs: 15,

  async prepare() {
    makeDatabase();
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
    if (program === bare) {
      const ms = await elapsed(async () => {
        const child = start(bare);
        await new Promise((resolve) => child.once('exit', resolve));
      });
      return [ms, Number.NaN, Number.NaN, Number.NaN];
    }
    const started = performance.now();
    const asking = new Asking(program as SqliteProgram);
    await asking.open();
    const ms = performance.now() - started;
    if (program !== filesystem) await asking.query('SELECT 1');
    const children = program === ours ? childrenOf(asking.process.pid!) : [];
    const idle = memoryMb(asking.process);
    const others = children.reduce((sum, pid) => sum + memoryMb({ pid }), 0);
    await stop(asking.process);
    return [ms, idle, others, children.length];
  },
  goals: [
    { column: 'ms', of: 'ours', to: 'node -e 0', atMost: 1.4 },
    { column: 'ms', of: 'ours', to: 'filesystem', atMost: 1.1 },
  ],
};

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(parent);
      } catch {
        return false;
      }
    });
}
