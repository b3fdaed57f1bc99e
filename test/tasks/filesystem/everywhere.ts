import { join } from 'node:path';
import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { j0hanz, numbers, official, officialFind, officialRewrite, put, textAt, textsIn } from './peers.ts';

const essay = 'The colour of a colour is colourful.\n';
const source = (name: string) =>
  `import { fetchUser } from './api';\n\nexport async function ${name}() {\n  const user = await fetchUser(1);\n` +
  '  return prefetchUser(user);\n}\n';
const sources = () =>
  Object.fromEntries(numbers(30).map((number) => [`src/part${number}.ts`, source(`part${number}`)]));
const manifest = (name: string) => `{\n  "name": "${name}",\n  "version": "1.2.3"\n}\n`;
const header = '// Copyright 2026 Example Ltd. All rights reserved.\n';

/** Tasks that change many places, or many files, alike. */
export const everywhereTasks: readonly Task[] = [
  {
    id: 'F01',
    instruction: 'Replace the word "colour" by "color" everywhere in this text',
    world: (world) => put(world, { 'essay.txt': essay.repeat(2_000) }),
    async ours(session) {
      const edits = [{ oldText: 'colour', newText: 'color', count: 0 }];
      await session.call('edit_file', { path: 'essay.txt', edits });
    },
    peers: {
      async [official](session, world) {
        await officialRewrite(session, world, [join(world, 'essay.txt')], (text) =>
          text.replaceAll('colour', 'color'),
        );
      },
      async [j0hanz](session) {
        const search = { path: 'essay.txt', searchPattern: 'colour', replacement: 'color' };
        await session.call('replace_text', { ...search, caseSensitive: true, maxResults: 10_000 });
      },
    },
    verify: (world) =>
      expect(textAt(world, 'essay.txt')).toBe('The color of a color is colorful.\n'.repeat(2_000)),
  },
  {
    id: 'F02',
    instruction: 'Rename the function fetchUser to loadUser in the whole project',
    world: (world) => put(world, sources()),
    async ours(session) {
      const edits = [{ oldText: '\\bfetchUser\\b', newText: 'loadUser', regex: true, count: 0 }];
      await session.call('edit_file', { glob: '*.ts', edits });
    },
    peers: {
      async [official](session, world) {
        const paths = await officialFind(session, world, '**/*.ts');
        await officialRewrite(session, world, paths, (text) => text.replace(/\bfetchUser\b/g, 'loadUser'));
      },
      async [j0hanz](session) {
        const search = { pattern: '**/*.ts', searchPattern: 'fetchUser', replacement: 'loadUser' };
        await session.call('replace_text', { ...search, caseSensitive: true, wholeWord: true });
      },
    },
    verify(world) {
      const renamed = Object.entries(sources()).map(([path, text]) => [
        path,
        text.replace(/\bfetchUser\b/g, 'loadUser'),
      ]);
      expect(textsIn(world, '**/*.ts')).toEqual(Object.fromEntries(renamed));
    },
  },
  {
    id: 'F03',
    instruction: 'Show me first what that renaming would change, then do it',
    world: (world) => put(world, { 'a.ts': source('a'), 'b.ts': source('b') }),
    async ours(session) {
      const edits = [{ oldText: '\\bfetchUser\\b', newText: 'loadUser', regex: true, count: 0 }];
      const preview = await session.call('edit_file', { glob: '*.ts', edits, dryRun: true });
      expect(preview).toContain('+  const user = await loadUser(1);');
      await session.call('edit_file', { glob: '*.ts', edits });
    },
    peers: {
      async [official](session, world) {
        for (const dryRun of [true, false])
          for (const name of ['a.ts', 'b.ts']) {
            const edits = [
              { oldText: '{ fetchUser }', newText: '{ loadUser }' },
              { oldText: 'await fetchUser', newText: 'await loadUser' },
            ];
            await session.call('edit_file', { path: join(world, name), edits, dryRun });
          }
      },
      async [j0hanz](session) {
        const search = { pattern: '*.ts', searchPattern: 'fetchUser', replacement: 'loadUser' };
        const args = { ...search, caseSensitive: true, wholeWord: true };
        await session.call('replace_text', { ...args, dryRun: true });
        await session.call('replace_text', args);
      },
    },
    verify: (world) =>
      expect(
        Object.values(textsIn(world, '*.ts'))
          .join('')
          .match(/\bloadUser\b/g),
      ).toHaveLength(4),
    exception:
      'a dry run names the files, their counts, and the hash that makes the edit exactly what was shown',
  },
  {
    id: 'F04',
    instruction: 'These text files have Windows line endings; make them Unix ones',
    world: (world) =>
      put(
        world,
        Object.fromEntries(numbers(12).map((number) => [`${number}.txt`, 'one\r\ntwo\r\n'.repeat(50)])),
      ),
    async ours(session) {
      const edits = [{ oldText: '\r\n', newText: '\n', count: 0 }];
      await session.call('edit_file', { glob: '*.txt', edits });
    },
    peers: {
      async [official](session, world) {
        const paths = await officialFind(session, world, '*.txt');
        await officialRewrite(session, world, paths, (text) => text.replaceAll('\r\n', '\n'));
      },
      async [j0hanz](session) {
        const search = { pattern: '*.txt', searchPattern: '\\r\\n', replacement: '\n', isRegex: true };
        await session.call('replace_text', { ...search, maxResults: 10_000 });
      },
    },
    verify: (world) =>
      expect(new Set(Object.values(textsIn(world, '*.txt')))).toEqual(new Set(['one\ntwo\n'.repeat(50)])),
  },
  {
    id: 'F05',
    instruction: 'Put our copyright line at the top of every source file',
    world: (world) => put(world, sources()),
    async ours(session) {
      const edits = [{ newText: header, startLine: 1, endLine: 0 }];
      await session.call('edit_file', { glob: '*.ts', edits });
    },
    peers: {
      async [official](session, world) {
        const paths = await officialFind(session, world, '**/*.ts');
        const first = "import { fetchUser } from './api';\n";
        const edits = [{ oldText: first, newText: header + first }];
        for (const path of paths) await session.call('edit_file', { path, edits });
      },
      async [j0hanz](session) {
        const search = { pattern: '**/*.ts', searchPattern: '^', replacement: header };
        await session.call('replace_text', { ...search, isRegex: true });
      },
    },
    verify(world) {
      const headed = Object.entries(sources()).map(([path, text]) => [path, header + text]);
      expect(textsIn(world, '**/*.ts')).toEqual(Object.fromEntries(headed));
    },
  },
  {
    id: 'F06',
    instruction: 'Bump the version of all packages from 1.2.3 to 1.3.0',
    world: (world) =>
      put(
        world,
        Object.fromEntries(
          numbers(6).map((number) => [`packages/p${number}/package.json`, manifest(number)]),
        ),
      ),
    async ours(session) {
      const edits = [{ oldText: '"version": "1.2.3"', newText: '"version": "1.3.0"' }];
      await session.call('edit_file', { glob: 'package.json', edits });
    },
    peers: {
      async [official](session, world) {
        const edits = [{ oldText: '"version": "1.2.3"', newText: '"version": "1.3.0"' }];
        for (const path of await officialFind(session, world, '**/package.json'))
          await session.call('edit_file', { path, edits });
      },
      async [j0hanz](session) {
        const search = { searchPattern: '"version": "1.2.3"', replacement: '"version": "1.3.0"' };
        await session.call('replace_text', { pattern: '**/package.json', ...search });
      },
    },
    verify: (world) =>
      expect(Object.values(textsIn(world, '**/package.json'))).toEqual(
        numbers(6).map((number) => manifest(number).replace('1.2.3', '1.3.0')),
      ),
  },
];
