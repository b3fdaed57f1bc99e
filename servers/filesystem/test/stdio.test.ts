import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  using workspace = new Workspace({ 'a.txt': 'hello' });
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const { stdout, stderr, code } = await run(
    [workspace.root],
    request(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    }) +
      '{"jsonrpc":"2.0","method":"notifications/initialized"}\n' +
      'not a message\n' +
      request(2, 'tools/call', { name: 'read_text_file', arguments: { path: 'a.txt' } }),
  );
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(3);
  expect(lines.find(({ id }) => id === 1).result.protocolVersion).toBe('2025-11-25');
  expect(lines.find(({ id }) => id === undefined).error.code).toBe(-32700);
  expect(lines.find(({ id }) => id === 2).result).toEqual({ content: [{ type: 'text', text: 'hello' }] });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('explains itself', async () => {
  const help = await run(['--help']);
  expect(help).toMatchObject({ stderr: '', code: 0 });
  expect(help.stdout).toContain('[directory…]');
  expect(help.stdout).toContain('--read-only');
  expect(await run(['--version'])).toEqual({
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
    code: 0,
  });
});

test('says on stderr what is wrong with its arguments, and exits with 2', async () => {
  using workspace = new Workspace({ 'a.txt': '' });
  const refused = async (...args: string[]) => {
    const { stdout, stderr, code } = await run(args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    return stderr
      .split('\n')[0]
      ?.replace(/^[\w-]+: /, '')
      .replaceAll(workspace.base, '');
  };
  expect(await refused('--http', '0')).toBe('Name at least one directory that may be touched');
  expect(await refused(`${workspace.root}/missing`)).toBe('No such directory: "/root/missing"');
  expect(await refused(`${workspace.root}/a.txt`)).toBe('Not a directory: "/root/a.txt"');
  expect(await refused('--wrong', workspace.root)).toContain("Unknown option '--wrong'");
});
