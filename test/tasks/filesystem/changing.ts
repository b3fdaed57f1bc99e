import { statSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { j0hanz, j0hanzFind, numbers, official, officialFind, put, textAt, textsIn } from './peers.ts';

const logs = () =>
  Object.fromEntries([
    ...numbers(12).map((month) => [`logs/app-2025-${month}.log`, `2025 ${month}\n`]),
    ...numbers(3).map((month) => [`logs/app-2026-${month}.log`, `2026 ${month}\n`]),
  ]);
const config = numbers(40)
  .map((number) => `setting${number} = ${number}\n`)
  .join('');
const template = {
  'template/package.json': '{ "name": "template" }\n',
  'template/src/index.ts': 'export {};\n',
  'template/src/lib/a.ts': 'export const a = 1;\n',
  'template/test/a.test.ts': 'import "../src/lib/a";\n',
};

/** Tasks that write, move, copy and delete. */
export const changingTasks: readonly Task[] = [
  {
    id: 'F07',
    instruction: 'Delete the leftovers: everything that ends in .tmp or .orig',
    world: (world) =>
      put(world, {
        ...Object.fromEntries(numbers(20).map((number) => [`src/${number}/cache.tmp`, ''])),
        ...Object.fromEntries(numbers(14).map((number) => [`src/${number}/main.c.orig`, ''])),
        'src/01/main.c': 'int main;\n',
      }),
    async ours(session) {
      await session.call('delete_file', { glob: '*.{tmp,orig}' });
    },
    peers: {
      [official]: 'cannot delete',
      async [j0hanz](session) {
        const paths = await j0hanzFind(session, { pattern: '*.{tmp,orig}' });
        await session.call('delete', { paths });
      },
    },
    verify: (world) => expect(textsIn(world, '**')).toEqual({ 'src/01/main.c': 'int main;\n' }),
  },
  {
    id: 'F08',
    instruction: 'Archive the logs of 2025 in archive/2025',
    world: (world) => put(world, logs()),
    async ours(session) {
      const from = { source: 'logs', glob: 'app-2025-*' };
      await session.call('move_file', { ...from, destination: 'archive/2025', parents: true });
    },
    peers: {
      async [official](session, world) {
        const names = await officialFind(session, join(world, 'logs'), 'app-2025-*');
        await session.call('create_directory', { path: join(world, 'archive/2025') });
        for (const source of names)
          await session.call('move_file', {
            source,
            destination: source.replace('/logs/', '/archive/2025/'),
          });
      },
      async [j0hanz](session) {
        const names = await j0hanzFind(session, { path: 'logs', pattern: 'app-2025-*' });
        const moves = names.map((name) => ({ source: `logs/${name}`, destination: `archive/2025/${name}` }));
        await session.call('move', { moves });
      },
    },
    verify(world) {
      expect(Object.keys(textsIn(world, 'archive/2025/*'))).toHaveLength(12);
      expect(Object.keys(textsIn(world, 'logs/*'))).toHaveLength(3);
    },
  },
  {
    id: 'F09',
    instruction: 'Rename the photos to holiday-01.jpg, holiday-02.jpg and so on',
    world: (world) => put(world, Object.fromEntries(numbers(12).map((n) => [`IMG_77${n}.JPG`, n]))),
    async ours(session) {
      const sources = numbers(12).map((number) => `IMG_77${number}.JPG`);
      const destinations = numbers(12).map((number) => `holiday-${number}.jpg`);
      await session.call('move_file', { sources, destinations });
    },
    peers: {
      async [official](session, world) {
        for (const number of numbers(12)) {
          const [source, destination] = [`IMG_77${number}.JPG`, `holiday-${number}.jpg`];
          await session.call('move_file', {
            source: join(world, source),
            destination: join(world, destination),
          });
        }
      },
      async [j0hanz](session) {
        const moves = numbers(12).map((number) => ({
          source: `IMG_77${number}.JPG`,
          destination: `holiday-${number}.jpg`,
        }));
        await session.call('move', { moves });
      },
    },
    verify: (world) =>
      expect(textsIn(world, '*')).toEqual(
        Object.fromEntries(numbers(12).map((n) => [`holiday-${n}.jpg`, n])),
      ),
  },
  {
    id: 'F10',
    instruction: 'Start a new project from the template',
    world: (world) => put(world, template),
    async ours(session) {
      await session.call('copy_file', { source: 'template', destination: 'shop' });
    },
    peers: {
      async [official](session, world) {
        await session.call('directory_tree', { path: join(world, 'template') });
        const paths = Object.keys(template).map((path) => join(world, path));
        await session.call('read_multiple_files', { paths });
        for (const directory of ['src/lib', 'test'])
          await session.call('create_directory', { path: join(world, 'shop', directory) });
        for (const [path, content] of Object.entries(template))
          await session.call('write_file', { path: join(world, path.replace('template', 'shop')), content });
      },
      async [j0hanz](session) {
        await session.call('move', { moves: [{ source: 'template', destination: 'shop' }], copy: true });
      },
    },
    verify: (world) => expect(Object.values(textsIn(world, 'shop/**'))).toEqual(Object.values(template)),
    exception: 'the answer says how much was copied, and which call takes it back',
  },
  {
    id: 'F11',
    instruction: 'Join the parts of the download into one file',
    world: (world) =>
      put(world, Object.fromEntries(numbers(8).map((n) => [`part-${n}`, `${n}\n`.repeat(2_000)]))),
    async ours(session) {
      await session.call('copy_file', { glob: 'part-*', destination: 'whole.txt', join: true });
    },
    peers: {
      async [official](session, world) {
        const paths = numbers(8).map((number) => join(world, `part-${number}`));
        await session.call('read_multiple_files', { paths });
        const content = numbers(8)
          .map((number) => textAt(world, `part-${number}`))
          .join('');
        await session.call('write_file', { path: join(world, 'whole.txt'), content });
      },
      async [j0hanz](session, world) {
        await session.call('read', { paths: numbers(8).map((number) => `part-${number}`) });
        const content = numbers(8)
          .map((number) => textAt(world, `part-${number}`))
          .join('');
        await session.call('create', { files: [{ path: 'whole.txt', content }] });
      },
    },
    verify: (world) =>
      expect(textAt(world, 'whole.txt')).toBe(
        numbers(8)
          .map((number) => `${number}\n`.repeat(2_000))
          .join(''),
      ),
  },
  {
    id: 'F12',
    instruction: 'Make the deployment script executable',
    world(world) {
      put(world, { 'deploy.sh': '#!/bin/sh\n' });
      chmodSync(join(world, 'deploy.sh'), 0o644);
    },
    async ours(session) {
      await session.call('write_file', { path: 'deploy.sh', executable: true });
    },
    peers: { [official]: 'cannot change modes', [j0hanz]: 'cannot change modes' },
    verify: (world) => expect(statSync(join(world, 'deploy.sh')).mode & 0o777).toBe(0o755),
  },
  {
    id: 'F13',
    instruction: 'Write this note to notes/2026/ideas.md',
    world: (world) => put(world, { 'notes/readme.md': '' }),
    async ours(session) {
      const note = { path: 'notes/2026/ideas.md', content: '# Ideas\n\n- sleep\n' };
      await session.call('write_file', { ...note, parents: true });
    },
    peers: {
      async [official](session, world) {
        await session.call('create_directory', { path: join(world, 'notes/2026') });
        const path = join(world, 'notes/2026/ideas.md');
        await session.call('write_file', { path, content: '# Ideas\n\n- sleep\n' });
      },
      async [j0hanz](session) {
        const files = [{ path: 'notes/2026/ideas.md', content: '# Ideas\n\n- sleep\n' }];
        await session.call('create', { files });
      },
    },
    verify: (world) => expect(textAt(world, 'notes/2026/ideas.md')).toBe('# Ideas\n\n- sleep\n'),
    exception: 'a directory is created only on request, which the arguments say',
  },
  {
    id: 'F14',
    instruction: 'Set setting20 to 99',
    world: (world) => put(world, { 'app.conf': config }),
    async ours(session) {
      const edits = [{ oldText: 'setting20 = 20', newText: 'setting20 = 99' }];
      await session.call('edit_file', { path: 'app.conf', edits });
    },
    peers: {
      async [official](session, world) {
        const edits = [{ oldText: 'setting20 = 20', newText: 'setting20 = 99' }];
        await session.call('edit_file', { path: join(world, 'app.conf'), edits });
      },
      async [j0hanz](session) {
        const edits = [{ oldText: 'setting20 = 20', newText: 'setting20 = 99' }];
        await session.call('edit', { path: 'app.conf', edits });
      },
    },
    verify: (world) => expect(textAt(world, 'app.conf')).toBe(config.replace('= 20', '= 99')),
    exception: 'the tool has a longer name, and its answer is the diff',
  },
  {
    id: 'F15',
    instruction: 'Replace lines 10 to 30 by one line that says "# removed"',
    world: (world) => put(world, { 'app.conf': config }),
    async ours(session) {
      const edits = [{ newText: '# removed', startLine: 10, endLine: 30 }];
      await session.call('edit_file', { path: 'app.conf', edits });
    },
    peers: {
      async [official](session, world) {
        const path = join(world, 'app.conf');
        await session.call('read_text_file', { path });
        const edits = [{ oldText: lines(config, 10, 30), newText: '# removed' }];
        await session.call('edit_file', { path, edits });
      },
      async [j0hanz](session) {
        await session.call('read', { path: 'app.conf', startLine: 10, endLine: 30 });
        const edits = [{ oldText: lines(config, 10, 30), newText: '# removed' }];
        await session.call('edit', { path: 'app.conf', edits });
      },
    },
    verify: (world) => expect(textAt(world, 'app.conf').split('\n').slice(8, 11)).toEqual(removed),
  },
];

const removed = ['setting09 = 09', '# removed', 'setting31 = 31'];

function lines(text: string, first: number, last: number): string {
  return text
    .split('\n')
    .slice(first - 1, last)
    .join('\n');
}
