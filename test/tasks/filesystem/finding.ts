import { utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { Session } from '../session.ts';
import type { Task } from '../task.ts';
import { j0hanz, j0hanzFind, numbers, official, officialFind, put } from './peers.ts';

const todos = () =>
  Object.fromEntries(
    numbers(20).map((number) => [
      `src/m${number}.py`,
      `import os\n${'# TODO: later\nx = 1\n'.repeat(Number(number) % 5)}${number === '13' ? '# TODO\n'.repeat(9) : ''}`,
    ]),
  );
const sized = () =>
  Object.fromEntries(
    numbers(40).map((number) => [
      `d${number.slice(1)}/f${number}.bin`,
      Buffer.alloc(1_000 + ((Number(number) * 7_919) % 1_009), number),
    ]),
  );
const largest = Object.entries(sized())
  .sort(([, a], [, b]) => b.length - a.length)
  .slice(0, 5)
  .map(([path]) => basename(path));
const photos = Object.fromEntries(
  numbers(16).map((number) => [
    `photos/${number}.jpg`,
    Buffer.from([0xff, 0xd8, 0xff, 0, ...Buffer.alloc(4_000, Number(number) % 13)]),
  ]),
);
const copies = ['01.jpg 14.jpg', '02.jpg 15.jpg', '03.jpg 16.jpg'];

/** The sizes that the official server lists, of all files inside a directory. */
async function officialSizes(session: Session, world: string, directories: readonly string[]) {
  const sizes: [string, string][] = [];
  for (const directory of directories) {
    const listing = await session.call('list_directory_with_sizes', { path: join(world, directory) });
    for (const [, name = '', size = ''] of listing.matchAll(/\[FILE\] (\S+)\s+(.*)/g))
      sizes.push([`${directory}/${name}`, size]);
  }
  return sizes;
}

async function j0hanzStats(session: Session, paths: readonly string[]) {
  const said = await session.call('stat', { paths });
  const { results } = JSON.parse(said) as {
    results: { path: string; value: { size: number; modified: string } }[];
  };
  return results.map(({ path, value }) => ({ ...value, path }));
}

/** Tasks that look for files. */
export const findingTasks: readonly Task[] = [
  {
    id: 'F16',
    instruction: 'How many TODOs are there, and which file has the most?',
    world: (world) => put(world, todos()),
    async ours(session) {
      const said = await session.call('search_text', { text: 'TODO', countOnly: true });
      return mostOf(said, /^(\d+) (\S+)$/gm);
    },
    peers: {
      async [official](session, world) {
        const paths = await officialFind(session, world, '**/*.py');
        const texts = await session.call('read_multiple_files', { paths });
        return mostIn(texts.split('\n---\n'));
      },
      async [j0hanz](session) {
        const said = await session.call('search_text', { searchPattern: 'TODO' });
        const perFile = Map.groupBy(said.matchAll(/^(\S+?):\d+:/gm), ([, path]) => path);
        return mostOf(
          [...perFile].map(([path, all]) => `${all.length} ${path}`).join('\n'),
          /^(\d+) (\S+)$/gm,
        );
      },
    },
    verify: (_, answer) => expect(answer).toBe('49 src/m13.py'),
    exception: 'the argument that asks only for counts, which makes the result a fifth',
  },
  {
    id: 'F17',
    instruction: 'What are the five largest files here?',
    world: (world) => put(world, sized()),
    async ours(session) {
      const args = { pattern: '*', sortBy: 'size', limit: 5 };
      const said = await session.call('search_files', args);
      return [...said.matchAll(/^\S*\/(\S+) {2}\d+/gm)].map(([, name]) => name).join(' ');
    },
    peers: {
      [official]: 'shows rounded sizes',
      async [j0hanz](session) {
        const paths = await j0hanzFind(session, { pattern: '*' });
        const stats = await j0hanzStats(session, paths);
        const sorted = stats.toSorted((a, b) => b.size - a.size).slice(0, 5);
        return sorted.map(({ path }) => basename(path)).join(' ');
      },
    },
    verify: (_, answer) => expect(answer).toBe(largest.join(' ')),
  },
  {
    id: 'F18',
    instruction: 'Which of these directories takes the most space?',
    world: (world) =>
      put(world, {
        'a/one/x': Buffer.alloc(50_000),
        'a/two/y': Buffer.alloc(70_000),
        'b/x': Buffer.alloc(110_000),
        'c/deep/er/z': Buffer.alloc(200_000),
        'c/y': 'y',
      }),
    async ours(session) {
      const args = { path: '.', recursive: true, sortBy: 'size' };
      const said = await session.call('list_directory_with_sizes', args);
      return /^\[DIR\] (\S+)/.exec(said)?.[1];
    },
    peers: {
      async [official](session, world) {
        await session.call('directory_tree', { path: world });
        const directories = ['a/one', 'a/two', 'b', 'c', 'c/deep/er'];
        const sizes = await officialSizes(session, world, directories);
        return sizes.toSorted(([, a], [, b]) => parseFloat(b) - parseFloat(a))[0]?.[0][0];
      },
      async [j0hanz](session) {
        const paths = await j0hanzFind(session, { pattern: '*' });
        const stats = await j0hanzStats(session, paths);
        return stats.toSorted((a, b) => b.size - a.size)[0]?.path[0];
      },
    },
    verify: (_, answer) => expect(answer).toBe('c'),
  },
  {
    id: 'F19',
    instruction: 'Which of these photos are copies of another one?',
    world: (world) => put(world, photos),
    async ours(session) {
      const args = { path: 'photos', pattern: '*', duplicates: true };
      const said = await session.call('search_files', args);
      const groups = said.split('\n\n').slice(0, -1);
      return groups
        .map((group) =>
          group
            .split('\n')
            .slice(1)
            .map((path) => basename(path))
            .join(' '),
        )
        .join(', ');
    },
    peers: {
      async [official](session, world) {
        const paths = await officialFind(session, join(world, 'photos'), '*.jpg');
        const byContent = new Map<string, string[]>();
        for (const path of paths) {
          const { content } = await session.result('read_media_file', { path });
          const key = JSON.stringify(content);
          byContent.set(key, [...(byContent.get(key) ?? []), basename(path)]);
        }
        const groups = [...byContent.values()].filter((names) => names.length > 1);
        return groups
          .map((names) => names.toSorted().join(' '))
          .toSorted()
          .join(', ');
      },
      [j0hanz]: 'hashes only text, and reads media one by one only if they are images that it knows',
    },
    verify: (_, answer) => expect(answer).toBe(copies.join(', ')),
  },
  {
    id: 'F20',
    instruction: 'Where is parseConfig defined? Show the lines around it',
    world: (world) =>
      put(world, {
        ...todos(),
        'src/config.py': 'import os\n\n# Reads it.\ndef parseConfig(path):\n  pass\n',
      }),
    async ours(session) {
      const said = await session.call('search_text', { text: 'def parseConfig', context: 1 });
      return /^(\S+)\n3-\t(.*)\n4\t.*\n5-\t/m.exec(said)?.slice(1).join(' ');
    },
    peers: {
      async [official](session, world) {
        const paths = await officialFind(session, world, '**/*.py');
        const said = await session.call('read_multiple_files', { paths });
        const block = said.split('\n---\n').find((each) => each.includes('def parseConfig'));
        return block && `${block.slice(world.length + 1, block.indexOf(':'))} ${/^# .*$/m.exec(block)?.[0]}`;
      },
      async [j0hanz](session) {
        const said = await session.call('search_text', { searchPattern: 'def parseConfig', context: 1 });
        return said.includes('# Reads it.') ? `${/^(src\S+?)[:-]/m.exec(said)?.[1]} # Reads it.` : said;
      },
    },
    verify: (_, answer) => expect(answer).toBe('src/config.py # Reads it.'),
  },
  {
    id: 'F21',
    instruction: 'Which modules use requests?',
    world: (world) =>
      put(
        world,
        Object.fromEntries(
          numbers(24).map((n) => [
            `lib/m${n}.py`,
            `${Number(n) % 2 ? 'import requests\n' : ''}requests = 1\nx = requests\n`.repeat(
              Number(n) % 2 ? 1 : 0,
            ) || 'x = 1\n',
          ]),
        ),
      ),
    async ours(session) {
      const said = await session.call('search_text', { text: 'requests', filesOnly: true });
      return String(said.match(/^lib\/m\d+\.py$/gm)?.length);
    },
    peers: {
      async [official](session, world) {
        const paths = await officialFind(session, world, '**/*.py');
        const said = await session.call('read_multiple_files', { paths });
        return String(said.split('\n---\n').filter((each) => each.includes('requests')).length);
      },
      async [j0hanz](session) {
        const said = await session.call('search_text', { searchPattern: 'requests' });
        return String(new Set([...said.matchAll(/^(\S+?):\d+:/gm)].map(([, path]) => path)).size);
      },
    },
    verify: (_, answer) => expect(answer).toBe('12'),
    exception: 'the argument that asks only for names, which makes the result a sixth',
  },
  {
    id: 'F22',
    instruction: 'Which three files changed last?',
    world(world) {
      put(world, todos());
      for (const [index, path] of Object.keys(todos()).entries())
        utimesSync(join(world, path), new Date(), new Date(Date.UTC(2026, 0, 1, 0, (index * 7) % 20)));
    },
    async ours(session) {
      const args = { pattern: '*.py', sortBy: 'modified', limit: 3 };
      const said = await session.call('search_files', args);
      return [...said.matchAll(/^(src\S+) /gm)].map(([, path]) => path).join(' ');
    },
    peers: {
      async [official](session, world) {
        const times: [string, string][] = [];
        for (const path of await officialFind(session, world, '**/*.py')) {
          const said = await session.call('get_file_info', { path });
          const time = new Date(/modified: (.*)/.exec(said)?.[1]?.replace(/ \(.*/, '') ?? '');
          times.push([path.slice(world.length + 1), time.toISOString()]);
        }
        const sorted = times.toSorted(([, a], [, b]) => (a < b ? 1 : -1));
        return sorted
          .slice(0, 3)
          .map(([path]) => path)
          .join(' ');
      },
      async [j0hanz](session) {
        const stats = await j0hanzStats(session, await j0hanzFind(session, { pattern: '*.py' }));
        const sorted = stats.toSorted((a, b) => (a.modified < b.modified ? 1 : -1));
        return sorted
          .slice(0, 3)
          .map(({ path }) => path)
          .join(' ');
      },
    },
    verify: (_, answer) => expect(answer).toBe('src/m18.py src/m15.py src/m12.py'),
  },
];

/** The sum of the counts and the path with the largest. */
function mostOf(text: string, pattern: RegExp): string {
  const counts = [...text.matchAll(pattern)].map(([, count, path]) => ({ count: Number(count), path }));
  const sum = counts.reduce((total, { count }) => total + count, 0);
  return `${sum} ${counts.toSorted((a, b) => b.count - a.count)[0]?.path}`;
}

/** The same for whole files, each after its path. */
function mostIn(blocks: readonly string[]): string {
  const counts = blocks.map((block) => {
    const path = /src\/\S+?\.py/.exec(block)?.[0];
    return `${block.match(/TODO/g)?.length ?? 0} ${path}`;
  });
  return mostOf(counts.join('\n'), /^(\d+) (\S+)$/gm);
}
