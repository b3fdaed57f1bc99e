import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryMb, stop } from '../../child.ts';
import type { Program, Trial } from '../../trial.ts';
import { call, makeWorld, official, open, ours, tree, world } from './filesystem-workspace.ts';

const reads = 18_000;
const inFlight = 64;

const floor = fileURLToPath(new URL('../../servers/filesystem-floor.mjs', import.meta.url));
const verified: Program = { args: [floor, world, 'verified'] };
const unverified: Program = { args: [floor, world] };

export const filesystemTree: Trial = {
  name: 'filesystem-tree',
  about:
    `A tree of 20,000 files: ${reads} reads of 3.6 KB with ${inFlight} in flight, the whole tree, ` +
    'and all files of a name; idle memory right after the handshake. The bare loops only read: one asks of each file ' +
    'it has opened where it is, the other believes every link',
  implementations: { ours, official, 'bare loop': verified, 'bare loop, unverified': unverified },
  columns: ['idle MB', 'reads/s', 'tree ms', 'tree MB', 'find ms'],
  runs: 5,
  prepare: makeWorld,

  async measure(program) {
    const server = await open(program);
    const idle = memoryMb(server);
    await call(server, readsFrom(0, 2_000), inFlight);
    const read = await call(server, readsFrom(2_000, reads), inFlight);
    if (program === verified || program === unverified) {
      await stop(server);
      return [idle, reads / (read.ms / 1000), Number.NaN, Number.NaN, Number.NaN];
    }
    // The official server has no argument for a limit.
    const limit = program === ours ? { limit: 50_000 } : {};
    const whole = await call(server, [['directory_tree', { path: tree, ...limit }]]);
    const find = await call(server, [['search_files', { path: tree, pattern: '**/module-77*.ts' }]]);
    await stop(server);
    return [idle, reads / (read.ms / 1000), whole.ms, whole.bytes / 1e6, find.ms];
  },
  goals: [
    { column: 'idle MB', of: 'ours', to: 'official', atMost: 1 },
    { column: 'reads/s', of: 'ours', to: 'official', atLeast: 6 },
    { column: 'reads/s', of: 'ours', to: 'bare loop', atLeast: 0.8 },
    { column: 'tree ms', of: 'ours', to: 'official', atMost: 0.5 },
    { column: 'tree MB', of: 'ours', to: 'official', atMost: 0.25 },
    { column: 'find ms', of: 'ours', to: 'official', atMost: 0.1 },
  ],
};

function readsFrom(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const file = first + index;
    const path = join(tree, `area-${file % 20}`, `part-${Math.floor(file / 20) % 20}`, `module-${file}.ts`);
    return ['read_text_file', { path }] as const;
  });
}
