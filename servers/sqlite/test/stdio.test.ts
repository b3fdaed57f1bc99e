import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conversation, explainsItself, responses, runProgram } from '@mcp/test-kit';
import { Client } from '@mcp/protocol/client';
import { spawnServer } from '@mcp/protocol/stdio';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

test('the program answers over pipes, writes only messages to stdout, and exits with 0 after its input', async () => {
  using workspace = new Workspace();
  const input = conversation('not a message', [
    'tools/call',
    { name: 'query', arguments: { sql: 'SELECT name FROM customers', format: 'csv' } },
  ]);
  const { stdout, stderr, code } = await runProgram(program, [workspace.path], { input });
  const { count, get } = responses(stdout);
  expect(count).toBe(3);
  expect(get(1).result).toMatchObject({ protocolVersion: '2025-11-25' });
  expect(get(undefined).error).toMatchObject({ code: -32700 });
  expect(get(2).result).toMatchObject({
    content: [{ type: 'text', text: 'name\nAda\nBen\nChiara' }],
  });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('the modifier localtime converts to the time zone of the environment, in queries and writes', async () => {
  using workspace = new Workspace();
  const local = "strftime('%H:%M', '2026-01-01 00:00', 'localtime')";
  const input = conversation(
    ['tools/call', { name: 'query', arguments: { sql: `SELECT ${local} AS at`, format: 'csv' } }],
    [
      'tools/call',
      { name: 'write', arguments: { sql: `INSERT INTO customers (name) VALUES (${local}) RETURNING name` } },
    ],
  );
  const env = { ...(process.env as Record<string, string>), TZ: 'Asia/Kolkata' };
  const { stdout } = await runProgram(program, ['--allow-write', workspace.path], { input, env });
  const { get } = responses(stdout);
  expect(get(2).result).toMatchObject({ content: [{ text: 'at\n05:30' }] });
  expect(get(3).result).toMatchObject({ content: [{ text: expect.stringContaining('05:30') }] });
});

test('--help and --version print to stdout and exit with 0', () =>
  explainsItself(program, ['[database.db…]', '--allow-write']));

test('a wrong argument is reported on stderr with exit code 2', async () => {
  using workspace = new Workspace();
  const refused = async (...args: string[]) => {
    const { stdout, stderr, code } = await runProgram(program, args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    return stderr
      .split('\n')[0]
      ?.replace(/^[\w-]+: /, '')
      .replaceAll(workspace.base, '');
  };
  expect(await refused(`${workspace.root}/missing.db`)).toBe('No such database: "/root/missing.db"');
  expect(await refused(workspace.root)).toBe('Not a regular file: "/root"');
  expect(await refused('--timeout', 'soon', workspace.path)).toBe(
    'Invalid --timeout: "soon"; expected an integer from 1',
  );
  expect(await refused('--export', `${workspace.root}/missing`, workspace.path)).toBe(
    'No such directory: "/root/missing"',
  );
  expect(await refused('--wrong', workspace.path)).toContain('Unknown option: "--wrong"');
});

test('without a database, the program serves a copy of the sample and deletes it at the end', async () => {
  const sql = `SELECT (SELECT count(*) FROM authors), (SELECT count(*) FROM books),
    (SELECT file FROM pragma_database_list)`;
  const input = conversation(['tools/call', { name: 'query', arguments: { sql, format: 'json' } }]);
  const { stdout, stderr, code } = await runProgram(program, [], { input });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const { structuredContent } = responses(stdout).get(2).result as {
    structuredContent: { rows: [[number, number, string]] };
  };
  const [[authors, books, path]] = structuredContent.rows;
  expect({ authors, books }).toEqual({ authors: 10, books: 18 });
  expect(path).toContain('sample.db');
  expect(existsSync(path)).toBe(false);
});

test('without a database, and without a directory for the copy of the sample, a call says what to do', async () => {
  const input = conversation(['tools/call', { name: 'query', arguments: { sql: 'SELECT 1' } }]);
  const { stdout, code } = await runProgram(program, [], { input, env: { TMPDIR: '/missing' } });
  expect(responses(stdout).get(2).error?.message).toBe(
    "Cannot copy the databases to /missing: ENOENT: no such file or directory, mkdtemp '/missing/mcp-server-sqlite-XXXXXX'. Name a database, or set TMPDIR",
  );
  expect(code).toBe(0);
});

test('--db-path, the option of the archived official server, names a database', async () => {
  using workspace = new Workspace();
  const input = conversation(['tools/call', { name: 'read_query', arguments: { query: 'SELECT 1 AS x' } }]);
  const { stdout, code } = await runProgram(program, ['--db-path', workspace.path], { input });
  expect(responses(stdout).get(2).result).toMatchObject({ content: [{ text: '{"x":1}' }] });
  expect(code).toBe(0);
});

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s during an export ends the program in time, without a temporary file',
  async (signal) => {
    using workspace = new Workspace();
    const directory = join(workspace.root, 'exports');
    mkdirSync(directory);
    const server = spawnServer({
      command: process.execPath,
      args: [program, '--export', directory, workspace.path],
    });
    await using client = await Client.connect(server.channel);
    const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c';
    client.callTool('export', { sql, path: 'endless.csv', format: 'csv' }).catch(() => {});
    await expect.poll(() => readdirSync(directory), { interval: 5 }).toHaveLength(1);
    const since = performance.now();
    server.child.kill(signal);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    // Hosts kill a server after two to three seconds; without the signal it would take five.
    expect(performance.now() - since).toBeLessThan(4_000);
    expect(readdirSync(directory)).toEqual([]);
  },
);
