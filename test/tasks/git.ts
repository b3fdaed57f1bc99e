import { dirname, join } from 'node:path';
import { serverProgram } from '../server-program.ts';
import { branchTasks } from './git/branches.ts';
import { commitTasks } from './git/commits.ts';
import { historyTasks } from './git/history.ts';
import { cyanheads } from './git/world.ts';
import { peerFile } from './peer-program.ts';
import type { TaskSet } from './task.ts';

export const git: TaskSet = {
  ours: {
    name: 'ours',
    start: (world) => ({
      args: [serverProgram('git'), '--allow-remote', world],
      env: { HOME: dirname(world) },
    }),
  },
  peers: [
    {
      name: cyanheads,
      start: (world) => ({
        args: [peerFile('@cyanheads/git-mcp-server/index.js')],
        env: {
          HOME: dirname(world),
          GIT_SIGN_COMMITS: 'false',
          LOGS_DIR: join(dirname(world), 'logs'),
          MCP_LOG_LEVEL: 'error',
          MCP_TRANSPORT_TYPE: 'stdio',
        },
      }),
    },
  ],
  tasks: [...branchTasks, ...commitTasks, ...historyTasks].toSorted((a, b) => a.id.localeCompare(b.id)),
};
