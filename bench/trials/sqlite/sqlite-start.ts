import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { memoryMb, stop } from '../../child.ts';
import type { Trial } from '../../trial.ts';
import { Asking, dbhub, makeDatabase, ours, sqliteTools, type SqliteProgram } from './sqlite-workspace.ts';
import { bareNode, filesystemOver, fillCompileCache, measureStart } from '../start/start-times.ts';

const filesystem = filesystemOver(import.meta.dirname);

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
    'node -e 0': bareNode,
  },
  columns: ['ms', 'idle MB', 'children MB', 'children'],
  runs: 15,

  async prepare() {
    makeDatabase();
    await fillCompileCache(ours, filesystem);
  },

  async measure(program) {
    if (program === bareNode || program === filesystem)
      return [...(await measureStart(program)), Number.NaN, Number.NaN];
    const started = performance.now();
    const asking = new Asking(program as SqliteProgram);
    await asking.open();
    const ms = performance.now() - started;
    await asking.query('SELECT 1');
    const children = program === ours ? childrenOf(asking.process.pid!) : [];
    const idle = memoryMb(asking.process);
    const others = children.reduce((sum, pid) => sum + memoryMb({ pid }), 0);
    await stop(asking.process);
    // Processes that are still ending would slow the next measurement.
    while (children.some((pid) => existsSync(`/proc/${pid}`)))
      await new Promise((resolve) => setTimeout(resolve, 5));
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
