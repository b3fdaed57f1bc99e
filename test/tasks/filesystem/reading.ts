import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { j0hanz, j0hanzFind, numbers, official, officialFind, put } from './peers.ts';

const log = (name: string) =>
  numbers(500, 3)
    .map((number) => `${name} line ${number}\n`)
    .join('');
const book = numbers(900, 3)
  .map((number) => `Sentence ${number} of the book.\n`)
  .join('');
const pages = (change: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    numbers(30).map((number) => [`${number}.md`, change[number] ?? `Page ${number}\n`.repeat(40)]),
  );
const conf = (port: number) => `${'a = 1\n'.repeat(30)}port = ${port}\n${'b = 2\n'.repeat(30)}`;

const downloads = Object.fromEntries(
  ['os.iso', 'app.zip', 'font.ttf'].map((name, index) => [name, Buffer.alloc(100_000, index)]),
);

/** Tasks that read and compare. */
export const readingTasks: readonly Task[] = [
  {
    id: 'F23',
    instruction: 'Show me the last three lines of each log',
    world: (world) =>
      put(world, Object.fromEntries(numbers(8).map((number) => [`logs/s${number}.log`, log(`s${number}`)]))),
    async ours(session) {
      return session.call('read_multiple_files', { path: 'logs', glob: '*.log', tail: 3 });
    },
    peers: {
      async [official](session, world) {
        const texts: string[] = [];
        for (const path of await officialFind(session, join(world, 'logs'), '*.log'))
          // It counts the end of the last line as a line.
          texts.push(await session.call('read_text_file', { path, tail: 4 }));
        return texts.join('\n');
      },
      async [j0hanz](session) {
        const names = await j0hanzFind(session, { path: 'logs', pattern: '*.log' });
        return session.call('read', { paths: names.map((name) => `logs/${name}`), tail: 3 });
      },
    },
    verify(_, answer) {
      expect(answer?.match(/line 49[89]|line 500/g)).toHaveLength(24);
      expect(answer).not.toContain('line 497');
    },
  },
  {
    id: 'F24',
    instruction: 'Read me lines 700 to 720',
    world: (world) => put(world, { 'book.txt': book }),
    ours: (session) => session.call('read_file', { path: 'book.txt', offset: 700, limit: 21 }),
    peers: {
      [official]: (session, world) =>
        session.call('read_text_file', { path: join(world, 'book.txt'), head: 720 }),
      [j0hanz]: (session) => session.call('read', { path: 'book.txt', startLine: 700, endLine: 720 }),
    },
    verify: (_, answer) => expect(answer).toMatch(/Sentence 700 [^]*Sentence 720 /),
  },
  {
    id: 'F25',
    instruction: 'What does the README say?',
    world: (world) => put(world, { 'README.md': '# Shop\n\nSells things.\n' }),
    ours: (session) => session.call('read_file', { path: 'README.md' }),
    peers: {
      [official]: (session, world) => session.call('read_text_file', { path: join(world, 'README.md') }),
      [j0hanz]: (session) => session.call('read', { path: 'README.md' }),
    },
    verify: (_, answer) => expect(answer).toContain('# Shop\n\nSells things.\n'),
    exception: 'the tool has a longer name',
  },
  {
    id: 'F26',
    instruction: 'What is in this project?',
    world: (world) =>
      put(world, Object.fromEntries(numbers(30).map((number) => [`src/${number[1]}/m${number}.ts`, '']))),
    ours: (session) => session.call('directory_tree'),
    peers: {
      [official]: (session, world) => session.call('directory_tree', { path: world }),
      [j0hanz]: (session) => session.call('list', { maxDepth: 5 }),
    },
    verify: (_, answer) => expect(answer?.match(/m\d\d\.ts/g)).toHaveLength(30),
  },
  {
    id: 'F27',
    instruction: 'What is different between the two configurations?',
    world: (world) => put(world, { 'old.conf': conf(80), 'new.conf': conf(8080) }),
    ours: (session) => session.call('get_file_info', { path: 'old.conf', compareWith: 'new.conf' }),
    peers: {
      [official]: (session, world) =>
        session.call('read_multiple_files', { paths: [join(world, 'old.conf'), join(world, 'new.conf')] }),
      [j0hanz]: (session) => session.call('diff', { a: 'old.conf', b: 'new.conf' }),
    },
    verify: (_, answer) => expect(answer).toMatch(/port = 80[^]*port = 8080/),
    exception: 'the arguments have longer names',
  },
  {
    id: 'F28',
    instruction: 'What has changed since the backup?',
    world: (world) =>
      put(world, {
        ...prefixed('backup', pages({})),
        ...prefixed('now', pages({ '07': 'New\n', '21': 'Page 22\n'.repeat(40) })),
        'now/31.md': 'More\n',
      }),
    ours: (session) => session.call('get_file_info', { path: 'backup', compareWith: 'now' }),
    peers: {
      async [official](session, world) {
        const paths: string[] = [];
        for (const directory of ['backup', 'now'])
          paths.push(...(await officialFind(session, join(world, directory), '*.md')));
        const said = await session.call('read_multiple_files', { paths });
        const texts = new Map(
          said.split('\n---\n').map((block) => {
            const [path = '', ...rest] = block.split(':\n');
            return [path.slice(world.length + 1), rest.join(':\n').trim()];
          }),
        );
        return changes(texts);
      },
      async [j0hanz](session) {
        const paths: string[] = [];
        for (const directory of ['backup', 'now'])
          for (const name of await j0hanzFind(session, { path: directory, pattern: '*.md' }))
            paths.push(`${directory}/${name}`);
        const said = await session.call('read', { paths, includeHash: true });
        const hashes = said.matchAll(/^\/\/ ((?:backup|now)\/\S+)\n[^]*?^\/\/ sha256: (\w+)/gm);
        return changes(new Map([...hashes].map(([, path = '', hash = '']) => [path, hash])));
      },
    },
    verify(_, answer) {
      for (const name of ['07.md', '21.md', '31.md']) expect(answer).toContain(name);
      expect(answer?.match(/\d\d\.md/g)).toHaveLength(3);
    },
  },
  {
    id: 'F29',
    instruction: 'Show me the lines that differ between the two releases',
    world: (world) =>
      put(world, {
        ...prefixed('v1', { 'a.conf': conf(80), 'b.conf': conf(81), 'c.conf': conf(82) }),
        ...prefixed('v2', { 'a.conf': conf(8080), 'b.conf': conf(81), 'c.conf': conf(8082) }),
      }),
    ours: (session) => session.call('get_file_info', { path: 'v1', compareWith: 'v2', maxDiff: 4_000 }),
    peers: {
      async [official](session, world) {
        const paths: string[] = [];
        for (const directory of ['v1', 'v2'])
          paths.push(...(await officialFind(session, join(world, directory), '*.conf')));
        return session.call('read_multiple_files', { paths });
      },
      async [j0hanz](session) {
        const names = await j0hanzFind(session, { path: 'v1', pattern: '*.conf' });
        const said: string[] = [];
        for (const name of names) said.push(await session.call('diff', { a: `v1/${name}`, b: `v2/${name}` }));
        return said.join('\n');
      },
    },
    verify(_, answer) {
      for (const port of [80, 8080, 82, 8082]) expect(answer).toMatch(new RegExp(`port = ${port}\\n`));
    },
  },
  {
    id: 'F30',
    instruction: 'Are the three downloads complete? These are their SHA-256',
    world: (world) => put(world, downloads),
    async ours(session) {
      const said = await session.call('get_file_info', { paths: Object.keys(downloads), hash: true });
      const hashes = Object.values(downloads).map((bytes) =>
        createHash('sha256').update(bytes).digest('hex'),
      );
      return String(hashes.every((hash) => said.includes(hash)));
    },
    peers: { [official]: 'has no hashes', [j0hanz]: 'hashes only text' },
    verify: (_, answer) => expect(answer).toBe('true'),
  },
];

function prefixed(directory: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${directory}/${path}`, text]));
}

/** The names whose texts, or hashes, differ between the directories. */
function changes(contents: ReadonlyMap<string, string>): string {
  const names = new Set([...contents.keys()].map((path) => path.slice(path.indexOf('/') + 1)));
  return [...names]
    .filter((name) => contents.get(`backup/${name}`) !== contents.get(`now/${name}`))
    .join(' ');
}
