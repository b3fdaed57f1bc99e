import type { WatcherOptions } from '../src/index.ts';

/** Every way of listening to directories: what is promised must be kept by each. */
export const modes: [string, WatcherOptions][] = [
  ['watching', { pollParents: false }],
  ['watching, with polled parents', { pollParents: true }],
  ['polling', { poll: true }],
];
