import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from '../../child.ts';
import type { Trial } from '../../trial.ts';
import { call, official, open, ours, world } from './filesystem-workspace.ts';

const files = 500;
const edits = 2_000;
const directory = join(world, 'edits');
const text = 'a line of text, one of those that the edits leave alone\n'.repeat(36);

export const filesystemEdits: Trial = {
  name: 'filesystem-edits',
  about:
    `Edits of ${files} files of 4 KB, ${edits} in all: one after the other and 8 in flight. Ours waits until the new ` +
    'content is on the disk, excludes other servers, and keeps the access control list',
  implementations: { ours, official },
  columns: ['edits/s', 'edits/s, 8 in flight'],
  runs: 5,

  async prepare() {
    mkdirSync(directory, { recursive: true });
  },

  async measure(program) {
    for (let file = 0; file < files; file++) writeFileSync(pathOf(file), `${text}number 0;\n${text}`);
    const server = await open(program);
    await call(server, editsFrom(0, edits / 4), 1);
    const one = await call(server, editsFrom(edits / 4, edits), 1);
    const several = await call(server, editsFrom(edits + edits / 4, edits), 8);
    await stop(server);
    return [edits / (one.ms / 1000), edits / (several.ms / 1000)];
  },
  goals: [
    { column: 'edits/s', of: 'ours', to: 'official' },
    { column: 'edits/s, 8 in flight', of: 'ours', to: 'official' },
  ],
};

function pathOf(file: number): string {
  return join(directory, `${file}.txt`);
}

function editsFrom(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const at = first + index;
    const number = Math.floor(at / files);
    const edit = { oldText: `number ${number};`, newText: `number ${number + 1};` };
    return ['edit_file', { path: pathOf(at % files), edits: [edit] }] as const;
  });
}
