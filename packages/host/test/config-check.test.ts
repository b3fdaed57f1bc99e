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

test('keys that hosts do not read, and variables without a value', async () => {
  const servers = (...entries: readonly object[]) =>
    Object.fromEntries(entries.map((entry, index) => [`s${index}`, { command: 'node', ...entry }]));
  const ofCursor = [
    { agrs: ['x'] },
    { environment: {} },
    { type: 'http' },
    { command: undefined, url: 'https://a.b/mcp', haeders: {} },
    { env: { T: '${env:NOPE}' } },
    { type: 'foo' },
    { arguments: [] },
    { evn: {} },
    { env: { T: '${input:x}' } },
    { autoApprove: [], alwaysAllow: [], description: 'x', trust: true, dev: {}, tools: [], isActive: true },
  ];
  const { lines, code } = await check({
    '.cursor/mcp.json': JSON.stringify({ mcpServers: servers(...ofCursor), servers: servers({}) }),
    '.config/Code/User/mcp.json': JSON.stringify({
      inputs: [{ id: 'known', type: 'promptString' }],
      servers: { v: { command: 'node', env: { A: '${input:known}', B: '${input:unknown}' } } },
      mcpServers: servers({}),
    }),
    '.codex/config.toml':
      '[mcp_servers.c]\ncommand = "node"\nstartup_timeout = 5\nenv_vars = ["HOME", "NOPE"]\n',
    '.gemini/settings.json': '{"mcpServers": {"g": {"command": "node", "env": {"A": "$NOPE"}}}}',
    '.config/opencode/opencode.json':
      '{"mcp": {"o": {\n"command": ["node"],\n"enabeld": false,\n"env": {}}}}',
  });
  const shown = lines.map((line) => line.replaceAll(/~\S*\//g, ''));
  expect(shown).toEqual([
    'fault    mcp.json:1: VS Code reads "servers", and not "mcpServers": it sees none of these servers',
    'fault    mcp.json:1: v: "inputs" does not declare the input "unknown" in "env.B"',
    'fault    mcp.json:1: Cursor reads "mcpServers", and not "servers": it sees none of these servers',
    'warning  mcp.json:1: s0: "agrs" is not read; did you mean "args"?',
    'warning  mcp.json:1: s1: "environment" is not read; did you mean "env"?',
    'fault    mcp.json:1: s2: "type" must be stdio for an entry with a "command"; got "http"',
    'warning  mcp.json:1: s3: "haeders" is not read; did you mean "headers"?',
    'warning  mcp.json:1: s4: The variable ${env:NOPE} in "env.T" has no value',
    'fault    mcp.json:1: s5: "type" must be stdio for an entry with a "command"; got "foo"',
    'warning  mcp.json:1: s6: "arguments" is not read; did you mean "args"?',
    'warning  mcp.json:1: s7: "evn" is not read; did you mean "env"?',
    'fault    mcp.json:1: s8: Cursor has no inputs: ${input:x} in "env.T" stays as it is',
    'warning  config.toml:3: c: "startup_timeout" is not read; did you mean "startup_timeout_sec"?',
    'warning  config.toml:4: c: The variable NOPE in "env_vars" is not set',
    'warning  settings.json:1: g: The variable $NOPE in "env.A" has no value',
    'warning  opencode.json:3: o: "enabeld" is not read; did you mean "enabled"?',
    'warning  opencode.json:4: o: "env" is not read; did you mean "environment"?',
    '14 servers in 5 files: 6 faults, 11 warnings',
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
