import type { WatcherOptions } from '../src/index.ts';

/** All ways of watching directories; each must keep every promise. */
export const modes: [string, WatcherOptions][] = [
  ['with system watches', { pollParents: false }],
  ['with system watches and polled parents', { pollParents: true }],
  ['with polling', { poll: true }],
];
