import { join } from 'node:path';
import { peakMemoryMb, stop } from '../../child.ts';
import type { Trial } from '../../trial.ts';
import { call, makeWorld, official, open, ours, world } from './filesystem-workspace.ts';

export const filesystemLargeFiles: Trial = {
  name: 'filesystem-large-files',
  about:
    'A text of 52 MB read whole, and the first and last line of it and of a sparse file of 5 GB; ours also as a ' +
    'range of lines, as a resource of search, and whole',
  implementations: { ours, official },
  columns: ['sent MB', 'peak MB'],
  runs: 3,
  prepare: makeWorld,

  async measure(program) {
    const server = await open(program);
    const large = join(world, 'large.txt');
    const sparse = join(world, 'sparse.txt');
    const { bytes } = await call(server, [['read_text_file', { path: large }]]);
    await call(server, [['read_text_file', { path: large, head: 1 }]]);
    await call(server, [['read_text_file', { path: large, tail: 1 }]]);
    await call(server, [['get_file_info', { path: sparse }]]);
    if (program === ours) {
      await call(server, [['read_text_file', { path: large, offset: 900_000, limit: 10 }]]);
      await call(server, [['read_text_file', { path: sparse }]]);
      await call(server, [['read_text_file', { path: sparse, tail: 1 }]]);
      await call(server, [['search_text', { path: large, text: 'not there' }]]);
      await call(server, [['search_text', { path: sparse, text: 'not there' }]]);
    }
    const peak = peakMemoryMb(server);
    await stop(server);
    return [bytes / 1e6, peak];
  },
  goals: [
    { column: 'sent MB', of: 'ours', atMost: 1.2 },
    { column: 'peak MB', of: 'ours', atMost: 120 },
  ],
};
