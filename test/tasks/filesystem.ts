import { dirname, join } from 'node:path';
import { serverProgram } from '../server-program.ts';
import { changingTasks } from './filesystem/changing.ts';
import { everywhereTasks } from './filesystem/everywhere.ts';
import { findingTasks } from './filesystem/finding.ts';
import { j0hanz, official } from './filesystem/peers.ts';
import { readingTasks } from './filesystem/reading.ts';
import { peerFile } from './peer-program.ts';
import type { TaskSet } from './task.ts';

export const filesystem: TaskSet = {
  ours: { name: 'ours', start: (world) => ({ args: [serverProgram('filesystem'), world] }) },
  peers: [
    {
      name: official,
      start: (world) => ({
        args: [peerFile('@modelcontextprotocol/server-filesystem/dist/index.js'), world],
      }),
    },
    {
      name: j0hanz,
      start: (world) => ({
        args: [join(dirname(peerFile('@j0hanz/filesystem-mcp/package.json')), 'dist/index.js'), world],
      }),
    },
  ],
  tasks: [...everywhereTasks, ...changingTasks, ...findingTasks, ...readingTasks],
};
