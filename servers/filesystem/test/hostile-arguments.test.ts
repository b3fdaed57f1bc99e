import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

type Arguments = Readonly<Record<string, unknown>>;

interface PublishedSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly items?: PublishedSchema;
  readonly enum?: readonly string[];
}

const edits = [{ oldText: 'one', newText: 'two', count: 1, regex: false, startLine: 1, endLine: 1 }];

/**
 * Arguments that every tool accepts, with every argument that is a text or a list of texts in one of them.
 */
const accepted: Readonly<Record<string, readonly Arguments[]>> = {
  read_text_file: [{ path: 'a.txt' }],
  read_file: [{ path: 'a.txt' }],
  read_multiple_files: [{ paths: ['a.txt'] }, { path: 'sub', glob: '*.txt' }],
  read_media_file: [{ path: 'a.txt' }],
  list_directory: [{ path: '.', cursor: 'a' }],
  list_directory_with_sizes: [{ path: '.', sortBy: 'name' }],
  directory_tree: [{ path: '.', excludePatterns: ['sub'] }],
  search_files: [
    {
      path: '.',
      pattern: '*',
      type: 'txt',
      excludePatterns: ['sub'],
      modifiedAfter: '2000-01-01',
      modifiedBefore: '2100-01-01',
      sortBy: 'size',
    },
  ],
  search_text: [
    { path: '.', text: 'one', glob: '*.txt', type: 'txt', excludePatterns: ['sub'], cursor: '0:a.txt' },
  ],
  get_file_info: [{ path: 'a.txt', compareWith: 'b.txt' }, { paths: ['a.txt'] }],
  list_allowed_directories: [{}],
  write_file: [
    { path: 'b.txt', content: 'x' },
    { path: 'b.txt', content: 'x', expectedHash: '00' },
  ],
  edit_file: [
    { path: 'a.txt', edits, dryRun: true },
    { paths: ['a.txt'], edits, dryRun: true },
    { path: 'sub', glob: '*.txt', edits, dryRun: true },
    { path: 'a.txt', edits, expectedHash: '00' },
  ],
  create_directory: [{ path: 'new' }],
  copy_file: [
    { source: 'a.txt', destination: 'copy' },
    { sources: ['a.txt'], destinations: ['copied'] },
    { source: 'sub', glob: '*.txt', destination: 'to' },
  ],
  move_file: [
    { source: 'c.txt', destination: 'moved' },
    { sources: ['d.txt'], destinations: ['moved2'] },
    { source: 'sub', glob: '*.txt', destination: 'to' },
  ],
  delete_file: [{ path: 'none' }, { paths: ['none'] }, { path: 'sub', glob: '*.none' }],
};

const pathNames = ['path', 'source', 'destination', 'compareWith', 'paths', 'sources', 'destinations'];
const globNames = ['glob', 'pattern', 'excludePatterns'];
const textNames = ['text', 'content', 'cursor', 'expectedHash', 'modifiedAfter', 'modifiedBefore', 'type'];
const editNames = ['oldText', 'newText'];

const files = Object.fromEntries(
  ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'sub/e.txt', 'to/f.txt'].map((path) => [path, 'one\n']),
);

const published = await publishedTools();

async function publishedTools() {
  using workspace = new Workspace();
  await using client = await workspace.connect();
  const tools = await client.listTools();
  return tools.map(({ name, inputSchema }) => ({ name, inputSchema: inputSchema as PublishedSchema }));
}

function hostileWorkspace(): Workspace {
  const workspace = new Workspace(files);
  writeFileSync(join(workspace.outside, 'hidden-name.txt'), 'SECRET one');
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  symlinkSync(join(workspace.outside, 'hidden-name.txt'), join(workspace.root, 'link'));
  symlinkSync(join(workspace.outside, 'created'), join(workspace.root, 'dangling'));
  return workspace;
}

/**
 * Paths that are refused wherever they are given; `dangling` and `link` are entries that may
 * be moved or deleted.
 */
function hostilePaths({ root, outside }: Workspace): string[] {
  return [
    '../outside/secret.txt',
    '../outside',
    join(outside, 'new'),
    `${root}_evil/x`,
    'out/secret.txt',
    'out/new/deeper',
    'sub/../../outside/secret.txt',
    `/proc/self/root${outside}/secret.txt`,
    `file://${outside}/secret.txt`,
    '~/x',
    '',
    ' ',
    'a.txt\0',
    '\ud800',
    'x'.repeat(5_000),
  ];
}

const hostileGlobs = ['../outside/*', 'out/*', 'out/**', '/etc/*', '**/../**', '', '[', '{a,b}'.repeat(500)];
const hostileTexts = [
  '\ud800',
  '\0',
  '../outside/secret.txt',
  '0:../outside/secret.txt',
  'x'.repeat(100_000),
];
const hostileNumbers = [-1, 0, 0.5, Number.MAX_SAFE_INTEGER, 1e300];

interface Argument {
  readonly name: string;
  readonly schema: PublishedSchema;
  /** The name of the list of objects it is in. */
  readonly within?: string;
}

function argumentsOf({ properties = {} }: PublishedSchema, within?: string): Argument[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    { name, schema, ...(within !== undefined && { within }) },
    ...(schema.items?.properties ? argumentsOf(schema.items, name) : []),
  ]);
}

/** Hostile values of the right type. Throws for an argument that needs values of its own. */
function hostileValues({ name, schema, within }: Argument, workspace: Workspace): unknown[] {
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer') return hostileNumbers;
  if (schema.enum) return ['none'];
  if (schema.items?.properties) return [[], [{}]];
  const values = pathNames.includes(name)
    ? hostilePaths(workspace)
    : globNames.includes(name)
      ? hostileGlobs
      : (within === undefined ? textNames : editNames).includes(name)
        ? hostileTexts
        : [];
  if (values.length === 0) throw new Error(`An argument without hostile values: ${name}`);
  return schema.type === 'array' ? [...values.map((value) => [value]), values] : values;
}

/**
 * Accepted arguments with one of them replaced. Throws where no accepted arguments have a text of this name.
 */
function withArgument(tool: string, { name, schema, within }: Argument, value: unknown): Arguments {
  const bases = accepted[tool] ?? [];
  const base = bases.find((each) => (within ?? name) in each);
  const isText = schema.type === 'string' || schema.type === 'array';
  if (!base && (isText || bases.length === 0))
    throw new Error(`No accepted arguments of ${tool} with ${name}`);
  if (within === undefined) return { ...(base ?? bases[0]), [name]: value };
  return { ...base, [within]: edits.map((edit) => ({ ...edit, [name]: value })) };
}

/** The answer as text; a request that the server refuses is an error too. */
async function answer(client: Client, tool: string, args: Arguments) {
  try {
    const result = await client.callTool(tool, { ...args });
    const text = JSON.stringify(result);
    return { text, isError: result.isError === true || /"Error( for|:)|\\nError: /.test(text) };
  } catch (error) {
    return { text: String(error), isError: true };
  }
}

function stateOf(directory: string): unknown {
  return readdirSync(directory).map((name) => {
    const { mode, mtimeMs, ino } = lstatSync(join(directory, name));
    return { name, mode, mtimeMs, ino, content: readFileSync(join(directory, name), 'utf8') };
  });
}

test.each(published)(
  '$name reads and changes nothing outside for hostile values of each argument',
  async ({ name: tool, inputSchema }) => {
    using workspace = hostileWorkspace();
    await using client = await workspace.connect();
    const before = stateOf(workspace.outside);
    for (const argument of argumentsOf(inputSchema)) {
      for (const value of hostileValues(argument, workspace)) {
        const args = withArgument(tool, argument, value);
        const { text, isError } = await answer(client, tool, args);
        const shown = `${argument.name}: ${JSON.stringify(value)?.slice(0, 100)} → ${text.slice(0, 300)}`;
        expect(text, shown).not.toMatch(/SECRET|hidden-name/);
        if (pathNames.includes(argument.name)) expect(isError, shown).toBe(true);
      }
    }
    expect(stateOf(workspace.outside)).toEqual(before);
    expect(readdirSync(workspace.base).sort()).toEqual(['outside', 'root']);
  },
);

test.each(published)(
  '$name refuses values of a wrong type for each argument',
  async ({ name: tool, inputSchema }) => {
    using workspace = hostileWorkspace();
    await using client = await workspace.connect();
    for (const argument of argumentsOf(inputSchema)) {
      for (const value of [{ path: 'a.txt' }, [['a.txt']]]) {
        const { text, isError } = await answer(client, tool, withArgument(tool, argument, value));
        const shown = `${argument.name}: ${JSON.stringify(value)} → ${text.slice(0, 300)}`;
        expect(isError, shown).toBe(true);
        expect(text, shown).toContain(argument.name);
      }
    }
  },
);

test.each(published)(
  '$name accepts its arguments, and its structured content does not repeat the text',
  async ({ name: tool }) => {
    for (const args of accepted[tool] ?? []) {
      using workspace = hostileWorkspace();
      await using client = await workspace.connect();
      const { content, structuredContent, isError } = await client.callTool(tool, { ...args });
      const texts = JSON.stringify(content);
      const mayFail = 'expectedHash' in args || tool === 'delete_file';
      expect(isError === true && !mayFail, texts).toBe(false);
      for (const value of Object.values({ ...(structuredContent as object | undefined) }))
        expect(texts).not.toContain(String(value));
    }
  },
);

test('prompts and resources read nothing outside for hostile values of each argument', async () => {
  using workspace = hostileWorkspace();
  await using client = await workspace.connect();
  const others = { question: 'Why?', focus: 'names' };
  for (const { name, arguments: published = [] } of await client.listPrompts()) {
    const names = published.map((argument) => argument.name);
    expect(['path', ...Object.keys(others)]).toEqual(expect.arrayContaining(names));
    for (const path of hostilePaths(workspace)) {
      const args = Object.fromEntries(names.map((each) => [each, { ...others, path }[each] ?? '']));
      await expect(client.getPrompt(name, args), `${name} ${path.slice(0, 100)}`).rejects.not.toThrow(
        /SECRET/,
      );
    }
  }
  for (const path of hostilePaths(workspace)) {
    const uri = `file:///${encodeURI(path.toWellFormed())}`;
    await expect(client.readResource(uri), uri.slice(0, 100)).rejects.not.toThrow(/SECRET/);
  }
});
