import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { afterAll, expect, test } from 'vitest';
import { program } from './workspace.ts';

const directory = new TemporaryDirectory('broken-configurations');
afterAll(() => directory[Symbol.dispose]());
const env = { PATH: process.env['PATH'] ?? '', HOME: directory.base };
const file = join(directory.root, '.mcp.json');
const mcp = (...args: string[]) => runProgram(program, args, { env, cwd: directory.root });

const half = '{"mcpServers": {"a": {"command": "x"';
const problem = `Cannot read "${file}", line 1, column 37 (offset 36): JSON: close brace expected`;

test.each([
  [['call', 'a.b'], 'There is no server "a"\n  mcp list shows the servers that are configured\n', 1],
  [
    ['tools'],
    'There are no servers: the configuration cannot be read\n  Correct the file, or name another one with --config\n',
    1,
  ],
  [['serve'], 'There are no servers to serve\n  mcp config path shows the files that were read\n', 1],
])('mcp %j says which file cannot be read', async (args, then, code) => {
  writeFileSync(file, half);
  expect(await mcp(...args)).toEqual({ stdout: '', stderr: `${problem}\n${then}`, code });
});

test('with --json, the file that cannot be read is a line of its own before the error', async () => {
  writeFileSync(file, half);
  const { stderr } = await mcp('--json', 'call', 'a.b');
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    { warning: { message: problem } },
    { error: expect.objectContaining({ message: 'There is no server "a"', exitCode: 1 }) },
  ]);
});

test.each([
  ['[]', 'the file must contain an object; got []'],
  ['{"mcpServers": []}', '"mcpServers" must be an object; got []'],
  ['{\n"mcpServers": "a"}', '"mcpServers" must be an object; got "a"'],
])('%j is a file that cannot be used', async (content, message) => {
  writeFileSync(file, content);
  const { stdout, stderr, code } = await mcp('list');
  expect({ stdout, code }).toEqual({ stdout: expect.stringContaining('No servers are configured'), code: 1 });
  expect(stderr).toContain(`Cannot read "${file}"`);
  expect(stderr).toContain(message);
});

test('without servers, a command says how to name one', async () => {
  writeFileSync(file, '');
  expect((await mcp('tools')).stderr).toBe(
    'No servers are configured. Name one: mcp tools -- npx -y @mcp/server-filesystem .\n',
  );
});

test('a file in UTF-16, as PowerShell writes it, is named as such', async () => {
  writeFileSync(file, Buffer.from('\ufeff{"mcpServers": {}}', 'utf16le'));
  expect((await mcp('list')).stderr).toBe(
    `Cannot read "${file}", line 1: the file is UTF-16; save it as UTF-8\n`,
  );
});

test('the hint of a wrong entry is what to do, not the command that fails again', async () => {
  writeFileSync(file, '{"mcpServers": {\n"a": {"command": "${NOPE}"}, "b": {"command": 5}}}');
  expect((await mcp('config', 'explain', 'a')).stderr).toBe(
    `Server "a" in "${file}", line 2: The variable ${'${NOPE}'} in "command" is not set\n` +
      '  set the variable in the environment\n',
  );
  expect((await mcp('config', 'explain', 'b')).stderr).toContain('\n  correct the entry in this file\n');
});

test.each([
  ['npx -y server', 'write the arguments of "npx -y server" into "args"'],
  ['~/bin/server', 'write the whole path: "~" is not expanded'],
])('the command "%s" that cannot be started has a hint of its own', async (command, hint) => {
  writeFileSync(file, JSON.stringify({ mcpServers: { a: { command } } }));
  expect(await mcp('--yes', 'tools', 'a')).toMatchObject({ code: 4, stderr: expect.stringContaining(hint) });
});

test.each([
  [
    'opencode.json',
    { mcp: { a: { type: 'local', command: ['x', '{file:/dev/zero}'] } } },
    '{file:/dev/zero} in',
  ],
  ['.cursor/mcp.json', { mcpServers: { a: { command: 'x', envFile: '/dev/zero' } } }, 'envFile "/dev/zero"'],
])('a file of a project that names a device is not read from it: %s', async (path, content, message) => {
  writeFileSync(file, '{}');
  mkdirSync(dirname(join(directory.root, path)), { recursive: true });
  writeFileSync(join(directory.root, path), JSON.stringify(content));
  const { stderr, stdout } = await mcp('config', 'explain', 'a');
  expect(stdout + stderr).toContain(message);
  rmSync(join(directory.root, path));
});

test('a server whose entry is no object is not called disabled', async () => {
  writeFileSync(file, '{"mcpServers": {\n"a": 5}}');
  expect((await mcp('list')).stdout).toContain('a  wrong');
  const { stderr, code } = await mcp('ping', 'a');
  expect(stderr).toContain(`Server "a" in "${file}", line 2: an entry must be an object`);
  expect(code).toBe(1);
});

test.each([
  ['{}'],
  ['null'],
  ['[]'],
  ['5'],
  ['{"command": 5}'],
  ['{"command": "a", "args": "b"}'],
  ['{"url": 5}'],
])('mcp list names an entry that is wrong: %s', async (entry) => {
  writeFileSync(
    file,
    `{"mcpServers": {"wrong": ${entry}, "right": {"command": "a"}, "unset": {"command": "$\{NOPE}"}}}`,
  );
  const { code, stdout, stderr } = await mcp('list');
  expect({ code, wrong: stdout.match(/^\S+ +wrong/gm) }).toEqual({ code: 1, wrong: ['wrong  wrong'] });
  expect(stderr).toContain(`Server "wrong" in "${file}", line 1: `);
  const json = JSON.parse((await mcp('list', '--json')).stdout) as {
    servers: { name: string; error?: string }[];
  };
  expect(json.servers.filter(({ error }) => error !== undefined).map(({ name }) => name)).toEqual(['wrong']);
});
