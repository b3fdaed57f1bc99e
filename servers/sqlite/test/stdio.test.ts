import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** Runs the built program to its end. */
async function run(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe' });
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code: code as number };
}

test('answers over pipes, puts nothing else on stdout, and ends well with its input', async () => {
  using workspace = new Workspace();
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const { stdout, stderr, code } = await run(
    [workspace.path],
    request(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    }) +
      '{"jsonrpc":"2.0","method":"notifications/initialized"}\n' +
      'not a message\n' +
      request(2, 'tools/call', {
        name: 'query',
        arguments: { sql: 'SELECT name FROM customers', format: 'csv' },
      }),
  );
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(3);
  expect(lines.find(({ id }) => id === 1).result.protocolVersion).toBe('2025-11-25');
  expect(lines.find(({ id }) => id === undefined).error.code).toBe(-32700);
  expect(lines.find(({ id }) => id === 2).result).toMatchObject({
    content: [{ type: 'text', text: 'name\nAda\nBen\nChiara' }],
    structuredContent: { rows: [['Ada'], ['Ben'], ['Chiara']] },
  });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('explains itself', async () => {
  const help = await run(['--help']);
  expect(help).toMatchObject({ stderr: '', code: 0 });
  expect(help.stdout).toContain('[database.db…]');
  expect(help.stdout).toContain('--allow-write');
  expect(await run(['--version'])).toEqual({
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
    code: 0,
  });
});

test('says on stderr what is wrong with its arguments, and exits with 2', async () => {
  using workspace = new Workspace();
  const refused = async (...args: string[]) => {
    const { stdout, stderr, code } = await run(args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    return stderr
      .split('\n')[0]
      ?.replace(/^[\w-]+: /, '')
      .replaceAll(workspace.base, '');
  };
  expect(await refused(`${workspace.root}/missing.db`)).toBe('No such database: "/root/missing.db"');
  expect(await refused(workspace.root)).toBe('Not a regular file: "/root"');
  expect(await refused('--timeout', 'soon', workspace.path)).toBe(
    '--timeout takes a number from 1, and not "soon"',
  );
  expect(await refused('--export', `${workspace.root}/missing`, workspace.path)).toBe(
    'No such directory: "/root/missing"',
  );
  expect(await refused('--wrong', workspace.path)).toContain("Unknown option '--wrong'");
});

test('shows a bookshop where no database is named, in a copy that is gone afterwards', async () => {
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'query', arguments: { sql } },
  };
  const { stdout, stderr, code } = await run([], initialize + `${JSON.stringify(request)}\n`);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const { result } = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ id }) => id === 1);
  const [[authors, books, path]] = result.structuredContent.rows;
  expect({ authors, books }).toEqual({ authors: 10, books: 18 });
  expect(path).toContain('sample.db');
  expect(existsSync(path)).toBe(false);
});

const sql = `SELECT (SELECT count(*) FROM authors), (SELECT count(*) FROM books),
  (SELECT file FROM pragma_database_list)`;
const initialize = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
})}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`;
