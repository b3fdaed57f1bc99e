import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram, TemporaryDirectory } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { program } from './workspace.ts';

/** Checks files below a home directory or, with `./` before their names, of a project. */
async function check(files: Readonly<Record<string, string>>, ...words: string[]) {
  const directory = new TemporaryDirectory('host-check');
  onTestFinished(() => directory[Symbol.dispose]());
  const home = join(directory.base, 'home');
  for (const [name, text] of Object.entries(files)) {
    const file = join(name.startsWith('./') ? directory.root : home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (name.endsWith('.sh')) chmodSync(file, 0o644);
  }
  const env = { PATH: dirname(process.execPath), HOME: home };
  const { stdout, stderr, code } = await runProgram(program, ['config', 'check', ...words], {
    env,
    cwd: directory.root,
  });
  expect(stderr).toBe('');
  return { lines: stdout.replaceAll(home, '~').replaceAll(directory.root, '.').trimEnd().split('\n'), code };
}

test('a configuration without faults', async () => {
  const { lines, code } = await check({
    '.cursor/mcp.json': '{"mcpServers":{"a":{"command":"node"},"b":{"url":"https://a.b/"}}}',
  });
  expect({ lines, code }).toEqual({ lines: ['2 servers in 1 file: no faults'], code: 0 });
});

test('no configuration', async () => {
  const { lines, code } = await check({});
  expect(lines[0]).toMatch(/^No servers are configured/);
  expect(code).toBe(0);
});

test('each broken entry has its file and line', async () => {
  const { lines, code } = await check({
    './.mcp.json':
      '{\n"mcpServers": {\n"same": {"command": "node"},\n"off": {"command": "nothing", "disabled": true}\n}}',
    './.kiro/settings/mcp.json': '{"mcpServers": {"url": {"url": "https://u:p@a.b/"}}}',
    '.cursor/mcp.json':
      '{\n// mine\n"mcpServers": {\n"a": {\n"command": "node",\n"args": "x"},\n"b": {"command": "nope"},\n"same": {"command": "node"},\n"list": [],\n}}',
    '.kiro/settings/mcp.json':
      '{"mcpServers": {\n"c": {"command": "./run.sh", "cwd": "/"},\n"d": {"command": "node", "args": ["/no/server.js"]},\n"e": {"command": "node", "cwd": "/no"},\n"f": {"command": "node", "Env": {}, "arg": [], "disable": true},\n"g": {"command": "node", "env": {"A": "${NOPE}"}}}}',
    '.gemini/settings.json': '{"mcpServers": {',
    '.codex/config.toml': '[mcp_servers.t]\ncommand = "node"\ntool_timeout_sec = "x"\n',
  });
  expect(lines).toEqual([
    'fault    ~/.gemini/settings.json:1: JSON: close brace expected',
    'fault    ./.kiro/settings/mcp.json:1: url: "url" must not contain a user or a password: put them into "headers"',
    'fault    ~/.cursor/mcp.json:6: a: "args" must be a list of strings; got "x"',
    'fault    ~/.cursor/mcp.json:7: b: the command "nope" is not on the PATH',
    'note     ~/.cursor/mcp.json:8: same: hidden by the entry of the same name at ./.mcp.json:3',
    'fault    ~/.cursor/mcp.json:9: list: an entry must be an object',
    'fault    ~/.codex/config.toml:3: t: "tool_timeout_sec" must be a number of 0 or more; got "x"',
    'fault    ~/.kiro/settings/mcp.json:2: c: the command "./run.sh" does not exist',
    'fault    ~/.kiro/settings/mcp.json:3: d: the script does not exist: "/no/server.js"',
    'fault    ~/.kiro/settings/mcp.json:4: e: "cwd" is not a directory: "/no"',
    'warning  ~/.kiro/settings/mcp.json:5: f: "Env" is not read; did you mean "env"?',
    'warning  ~/.kiro/settings/mcp.json:5: f: "arg" is not read; did you mean "args"?',
    'warning  ~/.kiro/settings/mcp.json:5: f: "disable" is not read; did you mean "disabled"?',
    'warning  ~/.kiro/settings/mcp.json:6: g: The variable ${NOPE} in "env.A" is not set',
    '12 servers in 6 files: 9 faults, 4 warnings, 1 note',
  ]);
  expect(code).toBe(9);
});

test('keys that are named twice, and servers under the key of another host', async () => {
  const { lines, code } = await check({
    '.cursor/mcp.json': '{"mcpServers": {\n"a": {"command": "nope"},\n"a": {"command": "node"}}}',
    '.codeium/windsurf/mcp_config.json': '{"mcp_servers": {"b": {"command": "node"}}}',
    '.codex/config.toml': 'model = "o3"\n\n[mcpServers.x]\ncommand = "node"\n',
    '.kiro/settings/mcp.json': '{\n// mine\n"servers": {"b": {"command": "node"}}}',
  });
  expect(lines).toEqual([
    'warning  ~/.cursor/mcp.json:2: "a" in "mcpServers" is named again in line 3, which counts',
    'fault    ~/.codeium/windsurf/mcp_config.json:1: Windsurf reads "mcpServers", and not "mcp_servers": it sees none of these servers',
    'fault    ~/.codex/config.toml:1: Codex reads "mcp_servers", and not "mcpServers": it sees none of these servers',
    'fault    ~/.kiro/settings/mcp.json:3: Kiro reads "mcpServers", and not "servers": it sees none of these servers',
    '1 server in 4 files: 3 faults, 1 warning',
  ]);
  expect(code).toBe(9);
});

test('what is right for its host is no fault, and a command that is no file is explained', async () => {
  const { lines, code } = await check({
    '.config/zed/settings.json': '{"context_servers": {"a": {"source": "extension", "settings": {}}}}',
    '.gemini/settings.json': '{"mcp": {"allowed": ["x"]}}',
  });
  expect(lines).toEqual([
    'note     ~/.config/zed/settings.json:1: a: only Zed can start this server, because its command is in an extension of Zed',
    '1 server in 2 files: 1 note',
  ]);
  expect(code).toBe(0);
  const wrong = await check({
    '.cursor/mcp.json':
      '{"mcpServers": {\n"a": {"command": "npx -y x"},\n"b": {"command": "~/x"},\n"c": {"command": "/"},\n"d": {"command": "node", "cwd": "/dev/null"}}}',
  });
  expect(wrong.lines.slice(0, -1)).toEqual([
    'fault    ~/.cursor/mcp.json:2: a: the command "npx -y x" is not on the PATH: write the arguments of "npx -y x" into "args"',
    'fault    ~/.cursor/mcp.json:3: b: the command "~/x" does not exist: write the whole path: "~" is not expanded',
    'fault    ~/.cursor/mcp.json:4: c: the command "/" is not executable',
    'fault    ~/.cursor/mcp.json:5: d: "cwd" is not a directory: "/dev/null"',
  ]);
});

test('names of servers print no control sequences, and secrets are masked', async () => {
  const { lines } = await check({
    '.cursor/mcp.json': JSON.stringify({
      mcpServers: { 'a\u001b[2J': { command: 'node', args: '--token sk-12345' } },
    }),
  });
  expect(lines.join('\n')).not.toContain('\u001b');
  expect(lines.join('\n')).not.toContain('12345');
});

test('as JSON', async () => {
  const { lines } = await check({ '.cursor/mcp.json': '{"mcpServers":{"b":{"command":"nope"}}}' }, '--json');
  expect(JSON.parse(lines[0]!)).toEqual({
    files: ['~/.cursor/mcp.json'],
    findings: [
      {
        level: 'fault',
        file: '~/.cursor/mcp.json',
        line: 1,
        server: 'b',
        message: 'the command "nope" is not on the PATH',
      },
    ],
  });
});
