import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serverProgram } from '../server-program.ts';
import { peerFile } from './peer-program.ts';
import type { Task, TaskSet } from './task.ts';

const official = 'official';

const tasks: readonly Task[] = [
  {
    id: 'F01',
    wish: 'Replace the word "colour" by "color" everywhere in this text',
    world(directory) {
      mkdirSync(directory);
      writeFileSync(join(directory, 'essay.txt'), 'The colour of a colour is colourful.\n'.repeat(2_000));
    },
    async ours(session) {
      await session.call('edit_file', {
        path: 'essay.txt',
        edits: [{ oldText: 'colour', newText: 'color', count: 6_000 }],
      });
    },
    peers: {
      async [official](session, world) {
        const path = join(world, 'essay.txt');
        const text = readFileSync(path, 'utf8');
        await session.call('read_text_file', { path });
        await session.call('write_file', { path, content: text.replaceAll('colour', 'color') });
      },
    },
    verify(directory) {
      expect(readFileSync(join(directory, 'essay.txt'), 'utf8')).toBe(
        'The color of a color is colorful.\n'.repeat(2_000),
      );
    },
  },
];

export const filesystem: TaskSet = {
  ours: { name: 'ours', start: (world) => ({ args: [serverProgram('filesystem'), world] }) },
  peers: [
    {
      name: official,
      start: (world) => ({
        args: [peerFile('@modelcontextprotocol/server-filesystem/dist/index.js'), world],
      }),
    },
  ],
  tasks,
};
