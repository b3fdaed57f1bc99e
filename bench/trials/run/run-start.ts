import type { Trial } from '../../trial.ts';
import { bareNode, filesystemOver, fillCompileCache, measureStart } from '../start/start-times.ts';
import { runProgram } from './run-workspace.ts';

const ours = runProgram('off');
const filesystem = filesystemOver(import.meta.dirname);

export const runStart: Trial = {
  name: 'run-start',
  about:
    'From spawn to the answer to initialize, for the servers as they are published; bare node to its exit',
  implementations: { ours, filesystem, 'node -e 0': bareNode },
  columns: ['ms', 'idle MB'],
  runs: 21,
  prepare: () => fillCompileCache(ours, filesystem),
  measure: measureStart,
  goals: [
    { column: 'ms', of: 'ours', to: 'node -e 0', atMost: 1.4 },
    // It reads its configuration, and so a parser of it, before the handshake.
    { column: 'ms', of: 'ours', to: 'filesystem', atMost: 1.25 },
    { column: 'idle MB', of: 'ours', to: 'filesystem', atMost: 1.1 },
  ],
};
