import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

const lines = (count: number, word: string) => `${word}\nother\n`.repeat(count);

/** Reads all pages of a search. Returns their matching lines, and the last line of each page. */
async function pages(files: Record<string, string>, args: Record<string, unknown>) {
  using workspace = new Workspace(files);
  await using client = await workspace.connect();
  const found: string[] = [];
  const ends: string[] = [];
  for (let cursor: string | undefined; ;) {
    const [said = ''] = await workspace.say(client, 'search_text', {
      path: '.',
      ...args,
      ...(cursor && { cursor }),
    });
    const blocks = said.split('\n\n');
    const end = blocks.pop()!;
    for (const block of blocks) {
      const [path, ...rest] = block.split('\n');
      found.push(...rest.filter((line) => /^\d+\t/.test(line)).map((line) => `${path} ${line}`));
    }
    ends.push(end);
    const next = /continue with cursor (".*")$/.exec(end)?.[1];
    if (next === undefined) return { found, ends };
    cursor = JSON.parse(next);
  }
}

test.each([{}, { regex: true }, { ignoreCase: true }, { context: 2 }])(
  'the pages of search_text with %j contain each line once, in the order of the paths',
  async (options) => {
    const counts = { 'a.ts': 7, 'b/a.ts': 30, 'b/c.ts': 1, 'b.ts': 3, 'z/y/x.ts': 9 };
    const files = Object.fromEntries(
      Object.entries(counts).map(([path, count]) => [path, lines(count, 'word')]),
    );
    const { found, ends } = await pages(files, { text: 'word', limit: 12, ...options });
    const expected = Object.keys(counts)
      .toSorted()
      .flatMap((path) =>
        Array.from(
          { length: counts[path as keyof typeof counts] },
          (_, index) => `${path} ${2 * index + 1}\tword`,
        ),
      );
    expect(found).toEqual(expected);
    expect(ends).toHaveLength(5);
    expect(ends[1]).toMatch(/^Lines 13 to 24 of 50 lines in 5 files; continue with cursor "\d+:b\/a\.ts"$/);
    expect(ends[4]).toBe('Lines 49 to 50 of 50 lines in 5 files');
  },
);

test('a page of search_text in hundreds of matching files names their total', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 700 }, (_, index) => [`${index % 40}/${index}`, lines(2, 'word')]),
  );
  const { found, ends } = await pages(files, { text: 'word', limit: 150 });
  expect(ends[0]).toMatch(/^Lines 1 to 150 of 1400 lines in 700 files; continue with cursor /);
  expect(ends.at(-1)).toBe('Lines 1351 to 1400 of 1400 lines in 700 files');
  expect(new Set(found).size).toBe(1_400);
});

test('search_text pages through the files with filesOnly and countOnly', async () => {
  using workspace = new Workspace({ a: 'x\nx', b: 'x', c: 'x', d: 'y' });
  await using client = await workspace.connect();
  const search = async (args: object) =>
    (await workspace.say(client, 'search_text', { path: '.', text: 'x', ...args }))[0];
  expect(await search({ filesOnly: true, limit: 2 })).toBe(
    'a\nb\nFiles 1 to 2 of 3; continue with cursor "0:b"',
  );
  expect(await search({ filesOnly: true, limit: 2, cursor: '0:b' })).toBe('c\nFiles 3 to 3 of 3');
  expect(await search({ countOnly: true, limit: 2, cursor: '0:a' })).toBe(
    '1 b\n1 c\nFiles 2 to 3 of 3; 4 lines in all',
  );
});

test.each(['x', '1', ':a', '-1:a', '1:', '99999999999999999999:a', '1e3:a'])(
  'search_text refuses the cursor %j',
  async (cursor) => {
    using workspace = new Workspace({ a: 'x' });
    await using client = await workspace.connect();
    expect(await workspace.say(client, 'search_text', { path: '.', text: 'x', cursor })).toEqual([
      'ERROR',
      `Invalid cursor: ${JSON.stringify(cursor)}; expected the cursor of a previous page`,
    ]);
  },
);

test('a cursor that names a path outside reveals nothing', async () => {
  using workspace = new Workspace({ a: 'x' });
  await using client = await workspace.connect();
  const cursor = `0:${workspace.outside}/secret.txt`;
  const [said] = await workspace.say(client, 'search_text', {
    path: '.',
    text: 'S',
    ignoreCase: true,
    cursor,
  });
  expect(said).toBe('No match in 1 file; set includeIgnored to search ignored files too');
});

test.each([{}, { regex: true }])(
  'a page far inside a file with many short lines has the right lines and total with %j',
  async (options) => {
    using workspace = new Workspace({ a: 'x\n'.repeat(700_000), b: 'x' });
    await using client = await workspace.connect();
    const search = async (args: object) =>
      (await workspace.say(client, 'search_text', { text: 'x', limit: 2, ...options, ...args }))[0];
    expect(await search({})).toBe(
      'a\n1\tx\n2\tx\n\nLines 1 to 2 of 700001 lines in 2 files; continue with cursor "2:a"',
    );
    expect(await search({ cursor: '650000:a', context: 1 })).toBe(
      'a\n650000-\tx\n650001\tx\n650002\tx\n650003-\tx\n\n' +
        'Lines 650001 to 650002 of 700001 lines in 2 files; continue with cursor "650002:a"',
    );
    expect(await search({ cursor: '699999:a' })).toBe(
      'a\n700000\tx\n\nb\n1\tx\n\nLines 700000 to 700001 of 700001 lines in 2 files',
    );
    expect(await search({ countOnly: true })).toBe('700000 a\n1 b\n700001 lines in 2 files');
    expect(await search({ filesOnly: true })).toBe('a\nb\n2 files');
  },
);
