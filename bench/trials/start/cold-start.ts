import { fileURLToPath } from 'node:url';
import type { Program, Trial } from '../../trial.ts';
import { bareNode, filesystemOver, fillCompileCache, measureStart } from './start-times.ts';

const directory = import.meta.dirname;
const ours = filesystemOver(directory);
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
  implementations: { ours, 'ours, first': first, official, 'node -e 0': bareNode },
  columns: ['ms', 'idle MB'],
  runs: 21,
  prepare: () => fillCompileCache(ours),
  measure: measureStart,
  goals: [
    { column: 'ms', of: 'ours', to: 'node -e 0', atMost: 1.3 },
    { column: 'ms', of: 'ours', to: 'official', atMost: 0.45 },
  ],
};
