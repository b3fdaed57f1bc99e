import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { describe, expect, test } from 'vitest';
import { serverProgram } from '../../test/server-program.ts';
import { readPage, repository } from './pages.ts';

const argsOf: Readonly<Record<string, readonly string[]>> = {
  filesystem: ['.'],
  git: ['--repository', '.'],
  sqlite: ['--allow-write'],
  weather: ['--demo'],
};

/** The names and arguments of the tools that a server lists. */
async function toolsOf(program: string, args: readonly string[]): Promise<Map<string, readonly string[]>> {
  await using client = await Client.connect(
    serverCommand({ command: process.execPath, args: [program, ...args], cwd: repository, stderr: 'ignore' }),
  );
  const tools = await client.listTools();
  return new Map(
    tools.map(({ name, inputSchema }) => [
      name,
      Object.keys((inputSchema as { properties?: object }).properties ?? {}),
    ]),
  );
}

/** The rows of the table of tools of a page: cells of names in backticks. */
function rowsOf(page: string): string[][][] {
  const [, section = ''] = readPage(page).split(/^## Tools$/m);
  return section
    .split(/^## /m)[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -2)
        .map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)),
    );
}

const official = join(
  repository,
  'test/official/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
);

test('coming-from/filesystem.md maps every tool and argument of the official server', async (context) => {
  context.skip(!existsSync(official), 'The official servers are not installed');
  const theirs = await toolsOf(official, ['.']);
  const mapped = new Map(
    rowsOf('coming-from/filesystem.md').map(([tool, args = []]) => [tool![0]!, args.sort()]),
  );
  expect(mapped).toEqual(new Map([...theirs].map(([name, args]) => [name, [...args].sort()])));
});

describe.each(Object.keys(argsOf))('coming-from/%s.md', (name) => {
  test('maps to tools and arguments that the server has', async () => {
    const ours = await toolsOf(serverProgram(name), argsOf[name]!);
    const rows = rowsOf(`coming-from/${name}.md`);
    expect(rows.length).toBeGreaterThan(1);
    for (const [, theirArguments = [], here = [], ourArguments = theirArguments] of rows) {
      expect(ours.keys(), here[0]).toContain(here[0]);
      expect(ours.get(here[0]!), here[0]).toEqual(expect.arrayContaining(ourArguments));
    }
  });
});

test('the old names of coming-from/sqlite.md work', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-docs-'));
  try {
    await using client = await Client.connect(
      serverCommand({
        command: process.execPath,
        args: [serverProgram('sqlite'), '--allow-write', '--create', '--db-path', join(directory, 'new.db')],
      }),
    );
    const say = async (tool: string, args: Record<string, string>) => {
      const { content, isError } = await client.callTool(tool, args);
      expect(isError ?? false, JSON.stringify(content)).toBe(false);
    };
    await client.callTool('write', { sql: 'CREATE TABLE first (x)', create: true });
    await say('create_table', { query: 'CREATE TABLE t (x)' });
    await say('write_query', { query: 'INSERT INTO t VALUES (1)' });
    await say('read_query', { query: 'SELECT x FROM t' });
    await say('describe_table', { table_name: 't' });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
