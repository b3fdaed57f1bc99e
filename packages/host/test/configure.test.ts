import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEntry } from '../src/config/entry/read-entry.ts';
import { resolveEntry } from '../src/config/entry/resolve-entry.ts';
import type { Entry } from '../src/config/entry/entry-values.ts';
import { type Format, formats } from '../src/config/formats/formats.ts';
import { hostNames } from '../src/config/write/hosts.ts';
import { writeEntry, type WrittenEntry } from '../src/config/write/write-entry.ts';
import { place } from './place.ts';
import { program } from './workspace.ts';
import { runProgram } from '@mcp/test-kit';
import { smallServer } from './small-server.ts';

describe.each(hostNames)('the file of %s', (host) => {
  test('has a command that was added, and lacks it after its removal', async () => {
    const { mcp, explained } = place();
    const command = ['node', 'server "x".js', '--flag', 'ä b'];
    const added = await mcp('add', 'my.server', '--to', host, '--env', 'COLOUR=red', '--', ...command);
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Added "my\.server" to .*:\d+\n$/),
    });
    const { target, file } = await explained('my.server');
    expect(target).toMatchObject({ command: 'node', args: command.slice(1), env: { COLOUR: 'red' } });
    const again = await mcp('add', 'my.server', '--to', host, '--', 'other');
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has a server "my.server" already; --force'),
    });
    expect(await mcp('add', 'my.server', '--to', host, '--force', '--', 'other')).toMatchObject({ code: 0 });
    expect((await explained('my.server')).target).toMatchObject({ command: 'other', args: [] });
    const text = readFileSync(file, 'utf8');
    expect(await mcp('add', 'second', '--to', host, '--', 'two')).toMatchObject({ code: 0 });
    expect(await mcp('remove', 'second')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await mcp('remove', 'my.server')).toMatchObject({
      code: 0,
      stdout: `Removed "my.server" from ${file}\n`,
    });
    const left = JSON.parse((await mcp('--json', 'list')).stdout) as { servers: unknown[] };
    expect(left.servers).toEqual([]);
  });

  test.skipIf(host === 'claude-desktop')('has a URL with a variable in a header', async () => {
    const { mcp, explained } = place();
    const header = ['--header', 'X-Team: ${TEAM}', '--header', 'Authorization: Bearer ${TEAM}'];
    const added = await mcp('add', 'web', 'https://mcp.example.com/mcp?a=b', '--to', host, ...header);
    expect(added.code, added.stderr).toBe(0);
    const { target, file } = await explained('web');
    expect(target.url).toBe('https://mcp.example.com/mcp?a=b');
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('blue');
    const hasVariables = !['cline', 'zed'].includes(host);
    expect(added.stderr.includes('has no variables')).toBe(!hasVariables);
    expect(Object.keys(target.headers ?? {})).toHaveLength(hasVariables ? 2 : 0);
  });
});

test.each(['cursor', 'gemini', 'kiro', 'codex'])(
  "the file of %s is the user's own in the home directory too",
  async (host) => {
    const { home, env, directory } = place();
    const linked = join(directory.base, 'linked');
    symlinkSync(home, linked);
    const { command, args } = smallServer(directory);
    const mcp = (HOME: string, ...words: string[]) =>
      runProgram(program, words, { env: { ...env, HOME }, cwd: home });
    const added = await mcp(home, 'add', 'h', '--to', host, '--', command, ...args);
    expect(added.stderr).toContain('to try it: mcp ping h');
    expect(await mcp(home, 'ping', 'h')).toMatchObject({ stderr: '', code: 0 });
    expect(await mcp(linked, 'ping', 'h')).toMatchObject({ stderr: '', code: 0 });
    const ofProject = await mcp(home, 'add', 'p', '--project', '--to', host, '--', command);
    expect(ofProject.stderr).toContain('has no file of a project in this directory: leave out --project');
  },
);

test('an entry in any other format is the same server, or what is lost is said', async () => {
  const all = Object.values(formats).filter(({ name }) => name !== 'any');
  const scope = {
    home: '/home/u',
    cwd: '/project',
    env: { TEAM: 'blue', X: 'x', Y: 'y', Z: 'z' },
    inputs: new Map(),
    askInput: () => undefined,
  };
  const source = { name: 'x', scope: 'user', origin: undefined } as const;
  /** The entry as its host reads it: a URL whose transport is not named has that of the host. */
  const resolved = async (entry: Entry, format: Format) => {
    const file = '/home/u/mcp.json';
    const { enabled, tools, target } = await resolveEntry(readEntry(entry, format), source, {
      ...scope,
      format,
      file,
    });
    const isAuto = target.kind === 'http' && target.transport === 'auto';
    return {
      enabled,
      tools,
      target: isAuto ? { ...target, transport: format.untypedUrl === 'sse' ? 'sse' : 'streamable' } : target,
    };
  };
  const plain: readonly Entry[] = [
    { command: 'run', args: ['a b', '1'], env: { TEAM: '${TEAM}', A: '1' } },
    { command: 'run', cwd: '/tmp', env: { B: 'x${TEAM}y' }, allowedTools: ['t*'], blockedTools: ['u'] },
    { url: 'https://a.b/mcp', type: 'http', headers: { Authorization: 'Bearer ${TEAM}', 'X-A': '1' } },
    { url: 'https://a.b/mcp', type: 'sse', oauth: { clientId: 'c', scopes: ['r', 'w'], callbackPort: 1 } },
    { command: 'run', disabled: true, timeout: 5_000 },
    { command: 'run', blockedTools: ['*'], env: { C: '$5 %X% {env:Y} ${env:Z}' } },
  ];
  for (const entry of plain) {
    const written = readEntry(entry, formats['claude-code']);
    for (const from of all) {
      let first: WrittenEntry;
      try {
        first = writeEntry(written, formats['claude-code'], from);
      } catch (error) {
        expect((error as Error).message).toMatch(
          /^(?:Claude Desktop starts commands only|Codex has no servers with)/,
        );
        continue;
      }
      const same = await resolved(first.entry, from);
      if (first.lost.length === 0)
        expect(same, from.name).toEqual(await resolved(entry, formats['claude-code']));
      for (const to of all) {
        const isRemote = !('command' in entry);
        if (isRemote && (to.name === 'claude-desktop' || (to.name === 'codex' && entry['type'] === 'sse')))
          continue;
        const second = writeEntry(readEntry(first.entry, from), from, to);
        if (second.lost.length === 0)
          expect(await resolved(second.entry, to), `${from.name} to ${to.name}`).toEqual(same);
      }
    }
  }
});

test('mcp import passes a server on from host to host', { timeout: 60_000 }, async () => {
  const { mcp, explained } = place();
  const hosts = hostNames.filter((each) => each !== 'mcp');
  await mcp('add', 'x', '--to', 'mcp', '--env', 'A=1', '--', 'run', 'it');
  let file = (await explained('x')).file;
  for (const to of hosts) {
    const { stdout, code } = await mcp('--json', '--config', file, 'import', 'x', '--to', to);
    const [result] = JSON.parse(stdout) as [{ lost: string[]; file: string }];
    expect({ code, lost: result.lost }, to).toEqual({ code: 0, lost: [] });
    file = result.file;
    expect((await explained('x', '--config', file)).target, to).toMatchObject({
      command: 'run',
      env: { A: '1' },
    });
  }
});

test.each(['cursor', 'roo', 'windsurf', 'claude-code'])(
  'an input of VS Code is a variable in %s',
  async (to) => {
    const { mcp, write } = place();
    const env = { KEY: '${input:api-key}', HOME: '${userHome}' };
    write('.config/Code/User/mcp.json', JSON.stringify({ servers: { v: { command: 'x', env } } }));
    const { stdout } = await mcp('--json', 'import', 'v', '--to', to);
    const [{ lost, file }] = JSON.parse(stdout) as [{ lost: string[]; file: string }];
    const variable = to === 'claude-code' ? '${MCP_INPUT_API_KEY}' : '${env:MCP_INPUT_API_KEY}';
    expect(lost[0]).toBe(`env.KEY: \${input:api-key} is now ${variable}: set this variable`);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(variable);
    expect(text).toContain('${userHome}');
  },
);

test('what another format cannot express is said', async () => {
  const { mcp, write } = place();
  write(
    '.codex/config.toml',
    '[mcp_servers.a]\ncommand = "x"\nenv_vars = ["TEAM"]\nenabled = false\nstartup_timeout_sec = 99\nenabled_tools = ["b"]\nrequired = true\n',
  );
  const { stdout, code } = await mcp('--json', 'import', 'a', '--to', 'claude-desktop');
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as [{ lost: string[] }])[0].lost).toEqual([
    'Claude Desktop has no variables: TEAM of the environment is not passed on',
    'Claude Desktop has no list of tools to show: b',
    'Claude Desktop has no time limit of a start: 99 s is left out',
    'Claude Desktop cannot disable an entry: the server is enabled there',
    '"required" of Codex is left out',
  ]);
});

test('an entry that is right for its host alone is not wrong', async () => {
  const { mcp, write } = place();
  write('.config/zed/settings.json', '{"context_servers": {"a": {"source": "extension", "settings": {}}}}');
  expect(await mcp('list')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^a {2}user /),
    stderr: '',
  });
  const { stdout, code } = await mcp('tools');
  expect(stdout).toContain('only Zed can start this server');
  expect(code).toBe(1);
});

test('a server that lists in the file disable is said to be so', async () => {
  const { mcp, write } = place();
  write('.gemini/settings.json', '{"mcp": {"allowed": ["a"]}}');
  const { stderr, code } = await mcp('add', 'b', '--to', 'gemini', '--', 'y');
  expect(stderr).toContain('"mcp.allowed" or "mcp.excluded" of this file disables the server');
  expect(stderr).not.toContain('to try it');
  expect(code).toBe(0);
});

test('mcp remove --to removes the entry of the user, not that of a project in the same file', async () => {
  const { mcp, write, root } = place();
  const projects = { [root]: { mcpServers: { x: { command: 'of the project' } } } };
  const file = write(
    '.claude.json',
    JSON.stringify({ projects, mcpServers: { x: { command: 'of the user' } } }),
  );
  expect(await mcp('remove', 'x', '--to', 'claude-code')).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ projects, mcpServers: {} });
  expect(await mcp('remove', 'x', '--to', 'claude-code')).toMatchObject({ code: 1 });
  expect(await mcp('remove', 'x')).toMatchObject({ code: 0 });
});

test('a variable of the host itself stays', async () => {
  const { mcp, home } = place();
  const { stderr } = await mcp('add', 'x', '--to', 'vscode', '--', 'y', '${workspaceFolder}/${TEAM}');
  expect(stderr).toContain('args[0]: VS Code replaces ${workspaceFolder} by its own value');
  expect(readFileSync(join(home, '.config/Code/User/mcp.json'), 'utf8')).toContain(
    '"${workspaceFolder}/${env:TEAM}"',
  );
});

test('what is said of a variable and its default shows no secret', async () => {
  const { mcp } = place();
  const words = ['--env', 'KEY=${KEY:-abc123}', '--env', 'PASS=pa$abc123', '--', 'y', '${ARG:-abc123}'];
  for (const host of ['claude-desktop', 'vscode', 'gemini', 'opencode'] as const) {
    const { stdout, stderr, code } = await mcp('add', 'x', '--to', host, ...words);
    expect(stderr, host).toContain('args[0]: ');
    expect(stdout + stderr).not.toContain('abc123');
    expect(code).toBe(0);
  }
});

test('a server of a project is imported only by its name', async () => {
  const { mcp, directory } = place();
  directory.put('.mcp.json', '{"mcpServers":{"theirs":{"command":"x"}}}');
  expect(await mcp('import', '--to', 'cursor')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'Not imported, because a project configures them; name them to import them: theirs',
    ),
  });
  const { stderr } = await mcp('import', '--to', 'cursor', '--json');
  expect(JSON.parse(stderr.split('\n')[0]!)).toHaveProperty('warning.message');
  expect(await mcp('import', 'theirs', '--to', 'cursor')).toMatchObject({ code: 0 });
});

test('comments, a byte order mark, line breaks and commas stay, and the printed command undoes the change', async () => {
  const { mcp, write, env, directory } = place();
  const text =
    '\uFEFF{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "x" }, // first\r\n\t},\r\n}\r\n';
  const file = write('.cursor/mcp.json', text);
  chmodSync(file, 0o640);
  const { stderr } = await mcp('add', 'b', '--to', 'cursor', '--', 'y');
  expect(readFileSync(file, 'utf8')).toBe(
    '\uFEFF{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "x" }, // first\r\n\t\t"b": {\r\n\t\t\t"command": "y"\r\n\t\t},\r\n\t},\r\n}\r\n',
  );
  expect(statSync(file).mode & 0o777).toBe(0o640);
  const [, from = '', to = ''] = /^to undo: cp (\S+) (\S+)$/m.exec(stderr)!;
  expect(to).toBe(file);
  expect(readFileSync(from, 'utf8')).toBe(text);
  expect(statSync(from).mode & 0o777).toBe(0o600);
  expect(await mcp('remove', 'b')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(env.HOME).not.toBe(directory.root);
});

test.skipIf(process.getuid?.() !== 0)('a file keeps its group, which may read it', async () => {
  const { mcp, write } = place();
  const file = write('.cursor/mcp.json', '{}');
  chownSync(file, 0, 12_345);
  chmodSync(file, 0o640);
  expect(await mcp('add', 'b', '--to', 'cursor', '--', 'y')).toMatchObject({ code: 0 });
  expect(statSync(file)).toMatchObject({ gid: 12_345 });
});

test('the file of mcp itself takes all that mcp reads', async () => {
  const { mcp, write, explained, root } = place();
  write(
    '.codex/config.toml',
    '[mcp_servers.a]\ncommand = "x"\nenabled = false\nstartup_timeout_sec = 99\ntool_timeout_sec = 5\nenabled_tools = ["b"]\ndisabled_tools = ["c"]\ncwd = "/tmp"\n',
  );
  const { stdout } = await mcp('--json', 'import', 'a', '--to', 'mcp');
  const [{ lost, file }] = JSON.parse(stdout) as [{ lost: string[]; file: string }];
  expect(lost).toEqual([]);
  expect(await explained('a', '--config', file)).toMatchObject({
    host: 'mcp',
    enabled: false,
    target: { cwd: '/tmp' },
    startTimeoutMs: 99_000,
    callTimeoutMs: 5_000,
    tools: { allow: ['b'], deny: ['c'] },
  });
  const added = await mcp('add', 'b', '--cwd', root, '--start-timeout', '9', '--', 'y');
  expect(added.stderr).not.toContain('left out');
});

test('a file of Codex keeps its comments and tables', async () => {
  const { mcp, write } = place();
  const text =
    '# mine\nmodel = "o3" # best\n\n[mcp_servers.a]\ncommand = "x" # first\n\n[mcp_servers.a.env]\nB = """\n[mcp_servers.c]\n"""\n\n# the end\n[tui]\nnotifications = true\n';
  const file = write('.codex/config.toml', text);
  expect(await mcp('add', 'b', '--to', 'codex', '--env', 'K=v', '--', 'y', 'z')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(
    `${text}\n[mcp_servers.b]\ncommand = "y"\nargs = [ "z" ]\n\n[mcp_servers.b.env]\nK = "v"\n`,
  );
  expect(await mcp('remove', 'a')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toMatch(/^# mine\nmodel = "o3" # best\n\n# the end\n\[tui\]\n/);
  expect(await mcp('remove', 'b')).toMatchObject({ code: 0 });
});

test('the line of a server of Codex whose name has quotes is printed', async () => {
  const { mcp, write } = place();
  write('.codex/config.toml', 'model = "o3"\n');
  const { stdout } = await mcp('add', 'a "b"', '--to', 'codex', '--', 'y');
  expect(stdout).toContain('config.toml:3\n');
});

test('a file of Codex with line breaks of Windows keeps its comments', async () => {
  const { mcp, write } = place();
  const text =
    '\uFEFF# c\r\n[[p]]\r\nn = 1\r\n\r\n[mcp_servers."a.b"]\r\nargs = [\r\n"[x]",\r\n]\r\ncommand = "y"\r\n# after\r\n[tui]\r\nx = 1\r\n';
  const file = write('.codex/config.toml', text);
  expect(await mcp('remove', 'a.b')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe('\uFEFF# c\r\n[[p]]\r\nn = 1\r\n\r\n# after\r\n[tui]\r\nx = 1\r\n');
});

test.skipIf(process.platform === 'win32')(
  'an import is one change of the file, which one command undoes',
  async () => {
    const { mcp, write, home, backups } = place();
    const names = Array.from({ length: 120 }, (_, index) => `s${index}`);
    const servers = Object.fromEntries(names.map((name) => [name, { command: 'x' }]));
    write(
      '.cursor/mcp.json',
      JSON.stringify({ mcpServers: { ...servers, __proto__: 1, '\u202e': { command: 'x' } } }),
    );
    const text = '{"mcpServers": {"s1": {"command": "mine"}}}';
    const file = write('.kiro/settings/mcp.json', text);
    const { stderr, code } = await mcp('import', '--to', 'kiro');
    expect(stderr).toContain('it has a server "s1" already; --force replaces it');
    expect(stderr).toContain(String.raw`invalid name of a server: "\\u{202e}"`);
    expect(code).toBe(1);
    expect(
      Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object }).mcpServers),
    ).toHaveLength(120);
    expect(backups()).toEqual([text]);
    const undo = (from: string) => execFileSync('/bin/sh', ['-c', /^to undo: (.*)$/m.exec(from)![1]!]);
    undo(stderr);
    expect(readFileSync(file, 'utf8')).toBe(text);
    undo((await mcp('add', 'x', '--to', 'codex', '--', 'y')).stderr);
    expect(existsSync(join(home, '.codex/config.toml'))).toBe(false);
  },
);

test('a server that is disabled is imported by its name where the other format cannot disable it', async () => {
  const { mcp, write } = place();
  write(
    '.kiro/settings/mcp.json',
    '{"mcpServers": {"on": {"command": "x"}, "off": {"command": "y", "disabled": true}}}',
  );
  const all = await mcp('import', '--to', 'cursor');
  expect(all).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Added "on" [^\n]*\n$/),
    stderr: expect.stringContaining('Cursor cannot disable an entry; name them to import them: off\n'),
  });
  expect(await mcp('import', '--to', 'zed')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"off"'),
  });
  const { stderr } = await mcp('import', 'off', '--to', 'cursor');
  expect(stderr).toContain('Cursor cannot disable an entry: the server is enabled there');
});

test('an entry that another one hides is imported with --from', async () => {
  const { mcp, explained } = place();
  await mcp('add', 'x', '--to', 'cursor', '--', 'one');
  await mcp('add', 'x', '--to', 'kiro', '--', 'two');
  const { stdout } = await mcp('--json', 'import', '--from', 'kiro', '--to', 'zed');
  const [{ file }] = JSON.parse(stdout) as [{ file: string }];
  expect((await explained('x', '--config', file)).target.command).toBe('two');
});

test('a table of Codex that cannot be changed is left as it is', async () => {
  const { mcp, write } = place();
  const text = 'mcp_servers = { a = { command = "x" } }\n';
  const file = write('.codex/config.toml', text);
  for (const words of [
    ['remove', 'a'],
    ['add', 'b', '--to', 'codex', '--', 'y'],
  ]) {
    const { stderr, code } = await mcp(...words);
    expect(code).toBe(1);
    expect(stderr).toContain('is written in a form that mcp cannot change; change it in an editor');
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
});

describe('a file that cannot be changed stays as it is', () => {
  test.each([
    ['broken JSON', '{"mcpServers": {', 'line 1, column 17'],
    ['a list', '[]', 'the file must contain an object'],
    ['deep values', `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, 'its values are nested too deep'],
    [
      'only carriage returns',
      '{\r"mcpServers": {\r"a": {} // c\r}\r}',
      'is written in a form that mcp cannot change',
    ],
    ['servers that are a list', '{"mcpServers": []}', '"mcpServers" is not an object'],
    ['Latin-1', Buffer.from('{"a": "\u00e4"}', 'latin1'), 'it is not UTF-8'],
    ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'Cannot'],
  ])('%s', async (_, content, message) => {
    const { mcp, write } = place();
    const file = write('.cursor/mcp.json', '');
    writeFileSync(file, content);
    const before = readFileSync(file);
    const { code, stderr } = await mcp('add', 'b', '--to', 'cursor', '--', 'y');
    expect(stderr).toContain(message);
    expect(code).toBe(1);
    expect(readFileSync(file)).toEqual(before);
  });

  test('that is read-only', async () => {
    const { mcp, write } = place();
    const file = write('.cursor/mcp.json', '{}');
    chmodSync(file, 0o440);
    const { code, stderr } = await mcp('add', 'b', '--to', 'cursor', '--', 'y');
    expect(stderr).toBe(`Cannot change "${file}": it is read-only\n`);
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });

  test.skipIf(process.getuid?.() !== 0)('of another user', async () => {
    const { mcp, write } = place();
    const file = write('.cursor/mcp.json', '{}');
    chownSync(file, 12_345, 12_345);
    const { code, stderr } = await mcp('add', 'b', '--to', 'cursor', '--', 'y');
    expect(stderr).toContain('it belongs to another user');
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });

  test('of more than 64 MiB', async () => {
    const { mcp, write } = place();
    truncateSync(write('.cursor/mcp.json', ''), 65 * 1024 * 1024);
    const { code, stderr } = await mcp('add', 'b', '--to', 'cursor', '--', 'y');
    expect(stderr).toContain('it has more than 67108864 bytes');
    expect(code).toBe(1);
  });

  test.skipIf(process.platform === 'win32')('links', async () => {
    const { mcp, write, home, root, directory } = place();
    const outside = join(directory.outside, 'theirs.json');
    writeFileSync(outside, '{}');
    symlinkSync(outside, join(root, '.mcp.json'));
    const refused = await mcp('add', 'b', '--project', '--', 'y');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is a link out of the project'),
    });
    expect(readFileSync(outside, 'utf8')).toBe('{}');
    // The link to a file of one's own, as managers of such files make it, stays a link.
    const real = write('dotfiles/cursor.json', '{}');
    mkdirSync(join(home, '.cursor'));
    symlinkSync(real, join(home, '.cursor/mcp.json'));
    expect(await mcp('add', 'b', '--to', 'cursor', '--', 'y')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ mcpServers: { b: { command: 'y' } } });
    symlinkSync(join(home, 'nowhere'), join(home, '.codex'));
    expect(await mcp('add', 'b', '--to', 'codex', '--', 'y')).toMatchObject({ code: 1 });
  });
});

test('twenty commands at the same time add twenty servers', { timeout: 60_000 }, async () => {
  const { mcp, home } = place();
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const results = await Promise.all(names.map((name) => mcp('add', name, '--to', 'cursor', '--', name)));
  expect(results.filter(({ code }) => code !== 0)).toEqual([]);
  const { mcpServers } = JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')) as {
    mcpServers: object;
  };
  expect(Object.keys(mcpServers).toSorted()).toEqual(names.toSorted());
});

test('the printed commands work, and a hidden entry is named', async () => {
  const { mcp, directory, root } = place();
  const { command, args } = smallServer(directory);
  const added = await mcp('add', 'small', '--', command, ...args);
  const [, advised = ''] = /^to try it: mcp (.*)$/m.exec(added.stderr)!;
  expect(await mcp(...advised.split(' '))).toMatchObject({ code: 0 });
  expect((await mcp()).stdout).toMatch(/^1 server in mcp: tools are not counted yet;/);
  const hiding = await mcp('add', 'small', '--project', '--', 'other');
  expect(hiding.code).toBe(0);
  const hidden = await mcp('add', 'small', '--to', 'cursor', '--', 'third');
  expect(hidden.stderr).toContain(`mcp uses another entry of this name: ${join(root, '.mcp.json')}:`);
  const removed = await mcp('remove', 'small');
  expect(removed.stderr).toContain('"small" is now the entry at ');
});

test('a whole command line in one word is explained', async () => {
  const { stderr } = await place().mcp('add', 'x', '--', 'npx -y y');
  expect(stderr).toContain('write "npx -y y" without quotes, as several words after --');
});

test('a secret in a file of a project is named', async () => {
  const { mcp, root } = place();
  await mcp('add', 'x', '--project', '--to', 'vscode', '--', 'y');
  mkdirSync(join(root, 'other'));
  expect(statSync(join(root, '.vscode')).mode).toBe(statSync(join(root, 'other')).mode);
  const { stderr } = await mcp(
    'add',
    'x',
    '--project',
    '--env',
    'API_KEY=abc123',
    '--env',
    'PLAIN=1',
    '--',
    'y',
  );
  expect(stderr).toContain(
    'API_KEY may be a secret, and files of a project are often committed; --env NAME names',
  );
  await mcp('add', 'x', '--project', '--force', '--env', 'API_KEY', '--', 'y');
  expect(JSON.parse(readFileSync(join(root, '.mcp.json'), 'utf8'))).toEqual({
    mcpServers: { x: { type: 'stdio', command: 'y', env: { API_KEY: '${API_KEY}' } } },
  });
});

test('a dry run as JSON is that of an import: server, file, what is lost, and the entry', async () => {
  const { mcp, home } = place();
  const words = ['--json', 'add', 'x', '--to', 'cursor', '--dry-run', '--cwd', '/tmp', '--', 'y'];
  const { stdout, stderr } = await mcp(...words);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    server: 'x',
    file: join(home, '.cursor/mcp.json'),
    lost: ['Cursor has no "cwd": "/tmp" is left out'],
    entry: { command: 'y' },
  });
});

test('a dry run writes nothing and shows no secret', async () => {
  const { mcp, home } = place();
  const words = [
    'add',
    'x',
    '--to',
    'vscode',
    '--dry-run',
    '--env',
    'API_KEY=abc123',
    '--',
    'y',
    '--token',
    'abc123',
  ];
  const { stdout, code } = await mcp(...words);
  expect(code).toBe(0);
  expect(stdout).toContain('"API_KEY":"••••"');
  expect(stdout).not.toContain('abc123');
  expect(readdirSync(home)).toEqual([]);
});

test('wrong words of add', async () => {
  const { mcp } = place();
  for (const [words, message] of [
    [['add'], 'Name a server, and its URL or its command'],
    [['add', 'x'], 'Name a server, and its URL or its command'],
    [['add', 'x', '--', ''], 'No command follows "--"'],
    [['add', 'x', '--to', 'nowhere', '--', 'y'], 'Invalid --to: "nowhere"; expected mcp, claude-desktop'],
    [['add', 'x', 'https://a.b/', '--env', 'A=1'], '--env is for a server that is a command'],
    [['add', 'x', '--env', 'A-B', '--', 'y'], 'Invalid --env: "A-B"; expected the name of a variable'],
    [['add', 'x', '--header', 'A: 1', '--', 'y'], '--header is for a server with a URL'],
    [
      ['add', 'x', 'https://a.b/', '--header', 'nonsense'],
      "Invalid --header without a colon; expected 'Name: value'",
    ],
    [['add', 'x', 'https://a.b/', '--to', 'claude-desktop'], 'Claude Desktop starts commands only'],
    [
      ['add', 'x', 'https://a.b/', '--to', 'codex', '--transport', 'sse'],
      'Codex has no servers with HTTP+SSE',
    ],
    [
      ['add', 'x', '--to', 'windsurf', '--project', '--', 'y'],
      'Windsurf has no file of a project in this directory',
    ],
    [['add', 'a\u001bb', '--', 'y'], 'invalid name of a server: "a\\\\u{1b}b"; expected 1 to 200 characters'],
    [['add', 'a\u202eb', '--', 'y'], 'none of them hidden'],
    [['add', 'https://a.b/', '--', 'y'], 'and no URL'],
    [['remove', 'x'], 'There is no server "x"'],
    [['remove', 'x', '--', 'y'], 'Only configured servers are removed'],
    [['import', '--', 'y'], 'Only configured servers are imported; mcp add <name> -- y writes another one'],
    [['config', 'check', '--', 'y'], 'only config explain takes one'],
    [['remove', 'x', '--to', 'cursor'], 'Cursor has no server "x" in '],
  ] as const) {
    const { code, stderr } = await mcp(...words);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\u001b');
    expect(code, words.join(' ')).toBe(1);
  }
});
