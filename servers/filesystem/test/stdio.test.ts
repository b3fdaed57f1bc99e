import { fileURLToPath } from 'node:url';
import { conversation, explainsItself, responses, runProgram } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

test('the program answers over pipes, writes only messages to stdout, and exits with 0 after its input', async () => {
  using workspace = new Workspace({ 'a.txt': 'hello' });
  const input = conversation('not a message', [
    'tools/call',
    { name: 'read_text_file', arguments: { path: 'a.txt' } },
  ]);
  const { stdout, stderr, code } = await runProgram(program, [workspace.root], { input });
  const { count, get } = responses(stdout);
  expect(count).toBe(3);
  expect(get(1).result).toMatchObject({ protocolVersion: '2025-11-25' });
  expect(get(undefined).error).toMatchObject({ code: -32700 });
  expect(get(2).result).toEqual({ content: [{ type: 'text', text: 'hello' }] });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('the program with --numbered answers reads with line numbers', async () => {
  using workspace = new Workspace({ 'a.txt': 'hello' });
  const read = { name: 'read_text_file', arguments: { path: 'a.txt' } };
  const input = conversation(['tools/call', read]);
  const { stdout } = await runProgram(program, [workspace.root, '--numbered'], { input });
  expect(responses(stdout).get(2).result).toEqual({ content: [{ type: 'text', text: '1\thello' }] });
});

test('--help and --version print to stdout and exit with 0', () =>
  explainsItself(program, ['[directory…]', '--read-only', '@mcp/outline', '(not installed)']));

test('a wrong argument is reported on stderr with exit code 2', async () => {
  using workspace = new Workspace({ 'a.txt': '' });
  const refused = async (...args: string[]) => {
    const { stdout, stderr, code } = await runProgram(program, args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    return stderr
      .split('\n')[0]
      ?.replace(/^[\w-]+: /, '')
      .replaceAll(workspace.base, '');
  };
  expect(await refused('--http', '0')).toBe(
    'Missing directory; over HTTP, name at least one allowed directory',
  );
  expect(await refused(`${workspace.root}/missing`)).toBe('No such directory: "/root/missing"');
  expect(await refused(`${workspace.root}/a.txt`)).toBe('Not a directory: "/root/a.txt"');
  expect(await refused('--wrong', workspace.root)).toContain('Unknown option: "--wrong"');
});
