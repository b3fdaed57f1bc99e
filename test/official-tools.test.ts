import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ListedTool } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { repository, serverProgram } from './server-program.ts';

type Schema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
};

const official = join(
  repository,
  'test/official/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mcp-official-tools-'));
});

afterEach(() => rm(directory, { recursive: true }));

/** Runs `use` with a client of a server of the directory. */
async function withClient<T>(program: string, use: (client: Client) => Promise<T>): Promise<T> {
  const server = spawnServer({ command: process.execPath, args: [program, directory], stderr: 'ignore' });
  try {
    await using client = await Client.connect(server.channel, { revision: '2025-11-25' });
    return await use(client);
  } finally {
    await server.stop();
  }
}

/** The tools that the published official server lists. */
const officialTools = (): Promise<ListedTool[]> => withClient(official, (client) => client.listTools());

test.skipIf(!inject('official'))(
  'every tool of the official server is here, with all its arguments and no other that is required',
  async () => {
    const listed = await withClient(serverProgram('filesystem'), (client) => client.listTools());
    const ours = new Map(listed.map((tool) => [tool.name, tool]));
    const theirs = await officialTools();
    expect(theirs.length).toBeGreaterThan(12);
    for (const { name, inputSchema } of theirs) {
      expect(ours.keys(), name).toContain(name);
      refuseNarrower(ours.get(name)!.inputSchema as Schema, inputSchema as Schema, name);
    }
  },
);

/** Arguments that are valid for the official schema are valid for ours. */
function refuseNarrower(ours: Schema, theirs: Schema, at: string): void {
  for (const required of ours.required ?? []) expect(theirs.required ?? [], at).toContain(required);
  for (const [name, property] of Object.entries(theirs.properties ?? {})) {
    expect(Object.keys(ours.properties ?? {}), at).toContain(name);
    const counterpart = ours.properties?.[name];
    // The official schema allows fractions of a line, which are not useful.
    const type = property.type === 'number' ? 'integer' : property.type;
    expect(counterpart?.type, `${at}.${name}`).toBe(type);
    for (const value of property.enum ?? []) expect(counterpart?.enum, `${at}.${name}`).toContain(value);
    refuseNarrower(counterpart!, property, `${at}.${name}`);
  }
  if (theirs.items) refuseNarrower(ours.items!, theirs.items, `${at}[]`);
}

test.skipIf(!inject('official'))(
  'a call as the official server takes it is answered, for every one of its tools',
  async () => {
    await writeFile(join(directory, 'a.txt'), 'one\n');
    await writeFile(join(directory, 'b.txt'), 'two\n');
    await mkdir(join(directory, 'sub'));
    await writeFile(join(directory, 'sub/c.txt'), '');
    const calls: [tool: string, args: Record<string, unknown>][] = [
      ['read_file', { path: 'a.txt', head: 1 }],
      ['read_text_file', { path: 'a.txt', tail: 1 }],
      ['read_media_file', { path: 'a.txt' }],
      ['read_multiple_files', { paths: ['a.txt', 'b.txt'] }],
      ['write_file', { path: 'new.txt', content: 'x' }],
      ['edit_file', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'ONE' }], dryRun: true }],
      ['create_directory', { path: 'made' }],
      ['list_directory', { path: '.' }],
      ['list_directory_with_sizes', { path: '.', sortBy: 'size' }],
      ['directory_tree', { path: '.', excludePatterns: ['sub'] }],
      ['move_file', { source: 'new.txt', destination: 'made/new.txt' }],
      ['search_files', { path: '.', pattern: '**/*.txt', excludePatterns: ['sub'] }],
      ['get_file_info', { path: 'a.txt' }],
      ['list_allowed_directories', {}],
    ];
    const theirs = await officialTools();
    expect(calls.map(([tool]) => tool).toSorted()).toEqual(theirs.map(({ name }) => name).toSorted());
    await withClient(serverProgram('filesystem'), async (client) => {
      for (const [tool, args] of calls) {
        expect((await client.callTool(tool, args)).isError, tool).toBeUndefined();
      }
    });
  },
);
