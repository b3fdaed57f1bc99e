import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Client } from '@mcp/protocol/testing';
import { Workspace } from './workspace.ts';

const modified = new Date('2026-01-02T03:04:05.678Z');

function openWorkspace(): Workspace {
  const workspace = new Workspace({
    'a.txt': 'one\ntwo\n',
    'b.txt': 'one\ntwo\n',
    'sub/c.ts': 'one();\n',
    'sub/deep/d.ts': 'two();\n',
  });
  symlinkSync('a.txt', join(workspace.root, 'link'));
  mkdirSync(join(workspace.root, 'empty'));
  for (const path of ['a.txt', 'b.txt', 'sub/c.ts', 'sub/deep/d.ts'])
    utimesSync(join(workspace.root, path), modified, modified);
  return workspace;
}

/** The schemas that are listed, by the names of the tools. */
async function schemasOf(client: Client): Promise<Map<string, z.ZodType>> {
  const tools = await client.listTools();
  return new Map(
    tools.flatMap(({ name, outputSchema }) =>
      outputSchema ? [[name, z.fromJSONSchema(outputSchema as z.core.JSONSchema.JSONSchema)]] : [],
    ),
  );
}

const unreadable: unknown[] = [];

const cases: [tool: string, args: Record<string, unknown>, expected: object][] = [
  [
    'list_directory',
    { path: 'sub' },
    {
      entries: [
        { name: 'c.ts', kind: 'file' },
        { name: 'deep', kind: 'directory' },
      ],
      total: 2,
    },
  ],
  ['list_directory', { path: 'empty' }, { entries: [], total: 0 }],
  [
    'list_directory_with_sizes',
    { path: 'sub', recursive: true },
    {
      entries: [
        { name: 'c.ts', kind: 'file', size: 7, modified: modified.toISOString() },
        { name: 'deep', kind: 'directory', size: 7, modified: expect.any(String) },
      ],
      total: 2,
      files: 1,
      directories: 1,
      bytes: 14,
      filesInside: 1,
      unreadable: 0,
    },
  ],
  [
    'directory_tree',
    { path: '.', depth: 2, excludePatterns: ['*.txt'] },
    {
      entries: [
        { path: 'empty', kind: 'directory' },
        { path: 'link', kind: 'symlink' },
        { path: 'sub', kind: 'directory' },
        { path: 'sub/c.ts', kind: 'file' },
        { path: 'sub/deep', kind: 'directory', cut: 'depth' },
      ],
      isComplete: false,
    },
  ],
  [
    'search_files',
    { pattern: '*.ts', sortBy: 'size', limit: 1 },
    {
      matches: [{ path: 'sub/c.ts', kind: 'file', size: 7, modified: modified.toISOString() }],
      total: 2,
      unreadable,
      next: 1,
    },
  ],
  ['search_files', { pattern: '*.go' }, { matches: [], total: 0, unreadable }],
  [
    'search_files',
    { pattern: '*', duplicates: true },
    {
      groups: [
        {
          size: 8,
          files: [
            { path: 'a.txt', hardLinks: [] },
            { path: 'b.txt', hardLinks: [] },
          ],
        },
      ],
      total: 1,
      redundantBytes: 8,
      unreadable,
    },
  ],
  [
    'search_text',
    { text: 'one', glob: '*.txt', context: 1, limit: 1 },
    {
      files: [
        {
          path: 'a.txt',
          count: 1,
          lines: [
            { number: 1, text: 'one', isMatch: true },
            { number: 2, text: 'two', isMatch: false },
          ],
        },
      ],
      matches: 2,
      matchingFiles: 2,
      searched: 2,
      unreadable,
      next: '1:a.txt',
    },
  ],
  [
    'search_text',
    { text: 'one', path: 'sub', countOnly: true },
    { files: [{ path: 'sub/c.ts', count: 1 }], matches: 1, matchingFiles: 1, searched: 2, unreadable },
  ],
  [
    'search_text',
    { text: 'one', path: 'sub', filesOnly: true },
    { files: [{ path: 'sub/c.ts' }], matchingFiles: 1, searched: 2, unreadable },
  ],
  [
    'search_text',
    { text: 'one|two', path: 'a.txt' },
    { files: [], matches: 0, asRegex: 2, matchingFiles: 0, searched: 1, unreadable },
  ],
  [
    'get_file_info',
    { paths: ['a.txt', 'none'], hash: true },
    {
      files: [
        {
          path: expect.stringMatching(/\/a\.txt$/),
          kind: 'file',
          size: 8,
          created: expect.any(String),
          modified: modified.toISOString(),
          accessed: expect.any(String),
          permissions: expect.stringMatching(/^6\d\d$/),
          links: 1,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
      failures: [{ path: 'none', reason: 'No such file: "none"' }],
      total: 2,
    },
  ],
  [
    'get_file_info',
    { path: 'a.txt', compareWith: 'sub/c.ts' },
    { comparison: { isSame: false, sizes: [8, 7], diff: expect.stringContaining('-two') } },
  ],
  [
    'get_file_info',
    { path: 'sub', compareWith: 'sub/deep' },
    {
      comparison: {
        isSame: false,
        onlyInPath: ['c.ts', 'deep/'],
        onlyInCompareWith: ['d.ts'],
        different: [],
        same: 0,
        unreadable,
        isCut: false,
      },
    },
  ],
  ['list_allowed_directories', {}, { directories: [expect.stringMatching(/\/root$/)] }],
];

test.each(cases)(
  'with --structured, %s of %j answers with the same text and exact values',
  async (tool, args, expected) => {
    using workspace = openWorkspace();
    await using client = await workspace.connect({ structured: true });
    await using plain = await workspace.connect();
    const schema = (await schemasOf(client)).get(tool)!;
    const { structuredContent, content } = await client.callTool(tool, args);
    expect(structuredContent).toEqual(expected);
    expect(schema.parse(structuredContent)).toEqual(structuredContent);
    const without = await plain.callTool(tool, args);
    const timeless = (value: unknown) => JSON.stringify(value).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
    expect(timeless(content)).toBe(timeless(without.content));
    expect(without.structuredContent).toBeUndefined();
    // Values that the schema does not name are refused.
    expect(schema.safeParse({ ...(structuredContent as object), other: 1 }).success).toBe(false);
  },
);

test('the schemas are listed with --structured only', async () => {
  using workspace = openWorkspace();
  await using client = await workspace.connect({ structured: true });
  await using plain = await workspace.connect();
  expect([...(await schemasOf(plain)).keys()]).toEqual(['write_file']);
  expect([...(await schemasOf(client)).keys()]).toEqual([
    'list_directory',
    'list_directory_with_sizes',
    'directory_tree',
    'search_files',
    'search_text',
    'get_file_info',
    'list_allowed_directories',
    'write_file',
  ]);
});

test('the pages of structured content have the rows of the text, and its cursor', async () => {
  const names = Array.from({ length: 600 }, (_, at) => `${'n'.repeat(150)}${1_000 + at}.txt`);
  using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, 'x\n'])));
  await using client = await workspace.connect({ structured: true });
  const pages = [
    ['list_directory', { path: '.' }, 'cursor', 'entries'],
    ['list_directory_with_sizes', { path: '.' }, 'skip', 'entries'],
    ['search_files', { pattern: '*' }, 'skip', 'matches'],
    ['search_text', { text: 'x' }, 'cursor', 'files'],
    ['search_text', { text: 'x', filesOnly: true }, 'cursor', 'files'],
  ] as const;
  for (const [tool, args, argument, rows] of pages) {
    const seen: string[] = [];
    for (let next: unknown; ;) {
      const page = next === undefined ? {} : { [argument]: next };
      const { structuredContent } = await client.callTool(tool, { ...args, ...page });
      const facts = structuredContent as Record<string, { name?: string; path?: string }[]>;
      seen.push(...facts[rows]!.map(({ name, path }) => (name ?? path)!));
      next = (structuredContent as { next?: unknown }).next;
      if (next === undefined) break;
    }
    expect(seen, tool).toEqual(names);
  }
});
