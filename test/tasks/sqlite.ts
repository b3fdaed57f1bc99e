import { serverProgram } from '../server-program.ts';
import { peerFile } from './peer-program.ts';
import { asking } from './sqlite/asking.ts';
import { importing } from './sqlite/importing.ts';
import { keeping } from './sqlite/keeping.ts';
import { database, dbhub, tools } from './sqlite/world.ts';
import { writing } from './sqlite/writing.ts';
import type { TaskSet } from './task.ts';

export const sqlite: TaskSet = {
  ours: {
    name: 'ours',
    start: (world) => ({
      args: [
        serverProgram('sqlite'),
        '--allow-write',
        '--create',
        '--import',
        world,
        '--export',
        world,
        database(world),
      ],
    }),
  },
  peers: [
    {
      name: tools,
      start: (world) => ({
        args: [peerFile('mcp-sqlite-tools/dist/index.js')],
        env: {
          SQLITE_DEFAULT_PATH: world,
          SQLITE_DEFAULT_DATABASE: database(world),
          SQLITE_BACKUP_PATH: world,
        },
      }),
    },
    {
      name: dbhub,
      start: (world) => ({
        args: [
          peerFile('@bytebase/dbhub/dist/index.js'),
          '--transport',
          'stdio',
          '--dsn',
          `sqlite://${database(world)}`,
        ],
      }),
    },
  ],
  tasks: [...importing, ...writing, ...asking, ...keeping],
};
