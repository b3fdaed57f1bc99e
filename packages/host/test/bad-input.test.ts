import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { runProgram } from '@mcp/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { textWidth } from '../src/terminal/table.ts';
import { smallServer } from './small-server.ts';
import { hasTerminals, Terminal } from './terminal.ts';
import { program, Workspace } from './workspace.ts';

const workspace = new Workspace({ broken: { command: '/nowhere/server' } });
const same = smallServer(workspace.directory, {
  TOOLS: Array.from({ length: 1_000 }, () => 'pid').join(' '),
});
const crowd = new Workspace({ same });
afterAll(() => {
  workspace[Symbol.dispose]();
  crowd[Symbol.dispose]();
});

test('of 1,000 tools of one name the first is called, one is suggested, and one is sent to a vendor', async () => {
  expect((await crowd.mcp(['call', 'same.pid'])).stdout).toMatch(/^\d+\n$/);
  const { stderr } = await crowd.mcp(['call', 'same.pidd']);
  expect(stderr).toContain('has no tool "pidd"; did you mean "pid"?\n');
  const { stdout } = await crowd.mcp(['tools', 'same', '--format', 'anthropic']);
  expect(JSON.parse(stdout)).toHaveLength(1);
});

test.skipIf(process.platform === 'win32')('a current directory that was removed is named', async () => {
  const cwd = join(workspace.directory.root, 'removed');
  mkdirSync(cwd);
  const command = `rmdir '${cwd}'; exec ${workspace.commandLine('list')}`;
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd, env: workspace.env, encoding: 'utf8' });
  expect(stderr).toBe('The current directory was removed; change to another one\n');
  expect(status).toBe(1);
});

test.each(['tools', 'ping', 'doctor', 'list'])(
  'mcp %s names a configuration that cannot be read, once, and the place of the mistake',
  async (command) => {
    const file = workspace.directory.put('mistake.json', '{ "mcpServers": {\n  "a": {} "b": {} } }\n');
    const { stderr, code } = await runProgram(program, ['--config', file, command], { env: workspace.env });
    const [problem, ...then] = stderr.split('\n');
    expect(problem).toBe(`Cannot read "${file}", line 2, column 11 (offset 28): JSON: comma expected`);
    expect(then.join('\n')).not.toContain(file);
    expect(code).toBe(1);
  },
);

describe.skipIf(!hasTerminals)('a terminal of 20 columns', () => {
  test.each([['tools', 'fix'], ['resources', 'fix'], ['prompts', 'fix'], ['list'], ['ping', 'fix']])(
    'has no wider line in mcp %s',
    async (...args) => {
      const terminal = new Terminal(workspace.commandLine(...args), { env: workspace.env, columns: 20 });
      expect(await terminal.ended()).toBe(0);
      const lines = stripVTControlCharacters(terminal.output).split('\r\n');
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(20);
    },
  );

  test('shows progress on one line, and colours', async () => {
    const terminal = new Terminal(workspace.commandLine('call', 'fix.wait'), {
      env: workspace.env,
      columns: 20,
    });
    const shown = await terminal.shows(/█{3}░{2} 1\/2 waiting/);
    expect(shown).not.toContain('\n');
    terminal.type('\u0003');
    expect(await terminal.ended()).toBe(130);
  });
});

test.skipIf(!hasTerminals)('colours are for terminals, and not where NO_COLOR is set', async () => {
  const shown = async (variables: Readonly<Record<string, string>>) => {
    const terminal = new Terminal(workspace.commandLine('tools', 'fix'), {
      env: { ...workspace.env, ...variables },
    });
    await terminal.ended();
    return terminal.output;
  };
  expect(await shown({})).toContain('\u001b[1mfix\u001b[22m');
  expect(await shown({ NO_COLOR: '1' })).not.toContain('\u001b');
});

test('without a terminal there are no colours, and lines are whole', async () => {
  const { stdout } = await workspace.mcp(['tools', 'fix']);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toContain('Becomes a task, which ends when its file has the word "go".\n');
});

test('the types of arguments come from references and from alternatives at the root', async () => {
  const schema = {
    type: 'object',
    properties: { page: { $ref: '#/$defs/count' } },
    oneOf: [{ properties: { size: { type: 'number' } } }, { properties: { all: { type: 'boolean' } } }],
    additionalProperties: false,
    $defs: { count: { type: 'integer', description: 'From 1' } },
  };
  const server = smallServer(workspace.directory, { TOOLS: 'echo', SCHEMA: JSON.stringify(schema) });
  const file = workspace.directory.put('schemas.json', JSON.stringify({ mcpServers: { s: server } }));
  const mcp = (...args: string[]) => runProgram(program, ['--config', file, ...args], { env: workspace.env });
  expect((await mcp('call', 's.echo', 'page=2', 'size=1.5', 'all=true')).stdout).toBe(
    '{"page":2,"size":1.5,"all":true}\n',
  );
  expect((await mcp('show', 's.echo')).stdout).toContain('[page]: integer  From 1\n  [size]: number');
});

test('a schema whose keywords have wrong types is shown, and its tool called, as far as it can be read', async () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 5, enum: 'x', description: {} },
      b: null,
      c: { anyOf: 5, oneOf: {}, allOf: 'z', items: 7, type: 'integer' },
    },
    required: 'a',
    anyOf: 'x',
  };
  const server = smallServer(workspace.directory, { TOOLS: 'echo', SCHEMA: JSON.stringify(schema) });
  const file = workspace.directory.put('malformed.json', JSON.stringify({ mcpServers: { s: server } }));
  const mcp = (...args: string[]) => runProgram(program, ['--config', file, ...args], { env: workspace.env });
  expect((await mcp('call', 's.echo', 'a=1', 'b=2', 'c=3')).stdout).toBe('{"a":"1","b":"2","c":3}\n');
  const { stdout, stderr } = await mcp('show', 's.echo');
  expect({ stdout, stderr }).toEqual({
    stdout: expect.stringContaining('  [a]: any\n  [b]: any\n  [c]: integer\n') as string,
    stderr: '',
  });
});

test('a reader that stops early ends mcp quietly', async () => {
  const child = spawn('sh', ['-c', `${crowd.commandLine('--json', 'tools', 'same')} | head -c 1`], {
    env: crowd.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect({ stdout, stderr }).toEqual({ stdout: '{', stderr: '' });
});

test('an output that cannot be written is one line, and exit code 1', (context) => {
  context.skip(!existsSync('/dev/full'), 'The system has no /dev/full');
  const command = `${workspace.commandLine('list')} > /dev/full`;
  const { stderr, status } = spawnSync('sh', ['-c', command], { env: workspace.env, encoding: 'utf8' });
  expect({ stderr, status }).toEqual({
    stderr: 'Cannot write the output: ENOSPC: no space left on device, write\n',
    status: 1,
  });
});

/** Command lines with the message and the exit code of their errors. */
const mistakes: readonly (readonly [line: string, message: string, exitCode: number])[] = [
  ['call fix.ecoh text=a', 'has no tool "ecoh"; did you mean "echo"?', 5],
  ['show fix.ecoh', 'has no tool "ecoh"; did you mean "echo"?', 5],
  ['call fxi.echo', 'There is no server "fxi"; did you mean "fix"?', 1],
  ['call', 'Name a tool: <server>.<tool>', 1],
  ['call fix', 'Name a tool of "fix": fix.<tool>', 1],
  ['call echo', '"echo" names no tool; did you mean "fix.echo"?', 1],
  ['show fxi', '"fxi" names no tool, and no server; did you mean "fix"?', 1],
  ['call fix ecoh', 'has no tool "ecoh"; did you mean "echo"?', 5],
  ['list fxi', 'There is no server "fxi"; did you mean "fix"?', 1],
  ['config explain fxi', 'There is no server "fxi"; did you mean "fix"?', 1],
  ['logout fxi', 'There is no server "fxi"; did you mean "fix"?', 1],
  ['login fix', 'There is no login to "fix": only servers with a URL have one', 1],
  ['call fix.echo --timeout', '--timeout needs a value: --timeout <seconds>', 1],
  ['call fix.echo --timeout -1', '--timeout needs a value: --timeout <seconds>', 1],
  ['tools --cached=yes', '--cached takes no value', 1],
  ['tools --formt openai', 'Unknown option: --formt; did you mean "--format"?', 1],
  ['call fix.echo txet=a', 'Unknown argument "txet"; did you mean "text"?', 1],
  ['call fix.echo text', 'Unexpected argument: "text"; expected key=value', 1],
  ['call fix.echo --args {', 'Invalid JSON in --args:', 1],
  ['call fix.wait --timeout 0.2', 'No response to tools/call within 200 ms', 6],
  ['call fix.wait --timeout soon', 'Invalid --timeout: "soon"; expected a number of seconds', 1],
  ['doctor fix --timeout 9999999', 'Invalid --timeout: "9999999"; expected a number of seconds', 1],
  ['https://example.com/mcp', 'Unknown command: "https://example.com/mcp"; did you mean "tools https', 1],
  ['call broken.tool', 'broken: cannot be started: ', 4],
  ['read fix note:', 'fix: resources/read: ', 5],
  ['prompt fix.nothing', 'The server "fix" has no prompt "nothing"', 5],
  ['task end fix', ' task list <server>, or mcp --config ', 1],
  ['tools --nothing', 'Unknown option: --nothing', 1],
];

test('each mistake is one line of JSON with --json: what is wrong, with which value, and the exit code', async () => {
  const input = mistakes.map(([line]) => `${line}\n`).join('');
  const { stdout, stderr, code } = await workspace.mcp(['--json', 'shell'], { input });
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  const errors = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { error: object });
  expect(errors.map(({ error }) => error)).toEqual(
    mistakes.map(([, message, exitCode]) =>
      expect.objectContaining({ message: expect.stringContaining(message), exitCode }),
    ),
  );
});

test('the advice for a server without logs and tasks is for the command that was typed', async () => {
  const { stderr } = await crowd.mcp(['shell'], { input: 'log same\ntask list same\n' });
  expect(stderr.split('\n')).toEqual([
    'The server "same" sends no log messages',
    '  with --verbose, each command prints what a server writes on stderr',
    'The server "same" does not support tasks',
    '  call its tools without --task',
    '',
  ]);
});

test.each(['ping', 'tools', 'resources', 'prompts'])(
  'mcp %s of several servers ends with the code of their errors where it is one, and with 4 otherwise',
  async (command) => {
    const { directory, env } = workspace;
    const cwd = join(directory.root, command);
    mkdirSync(cwd);
    const entry = { command: '/nowhere/server' };
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { a: entry, b: entry } }));
    const code = async (...words: string[]) => (await runProgram(program, words, { env, cwd })).code;
    expect(await code(command)).toBe(7);
    expect(await code('--yes', command)).toBe(4);
    expect(await code('--yes', command, 'a', 'missing')).toBe(4);
  },
);

test.each([
  [['call', 'fix.wait', '--timeout', '0.2'], 6],
  [['call', 'fix.fail'], 5],
  [['--revision', '1999-01-01', 'ping', 'fix'], 1],
])('%j ends with exit code %i', async (args, exitCode) => {
  expect((await workspace.mcp(args)).code).toBe(exitCode);
});
