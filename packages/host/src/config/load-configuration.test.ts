import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configuration, named } from '../../test/configuration.ts';
import type { ServerEntry } from './entry/server-entry.ts';
import { explainServer, explanationOf } from './explain-server.ts';
import { loadConfiguration, type LoadOptions } from './load-configuration.ts';

const stdio = { command: 'node', args: ['server.js'] };
const started = { kind: 'stdio', command: 'node', args: ['server.js'], env: {}, cwd: undefined };

describe('every format is read from where its host keeps it', () => {
  const json = JSON.stringify;
  const cases: [title: string, path: string, content: unknown, expected: object][] = [
    [
      'Claude Code, project',
      '.mcp.json',
      { mcpServers: { s: stdio } },
      { scope: 'project', target: started },
    ],
    ['Claude Code, user', '~/.claude.json', { mcpServers: { s: stdio } }, { scope: 'user', target: started }],
    [
      'Claude Desktop',
      '~/.config/Claude/claude_desktop_config.json',
      { mcpServers: { s: { ...stdio, env: { A: '${HOME}' } } } },
      { target: { ...started, env: { A: '${HOME}' } } },
    ],
    [
      'VS Code',
      '.vscode/mcp.json',
      `{ // with comments\n "servers": { "s": ${json({ type: 'http', url: 'https://a.example/mcp' })}, },\n}`,
      { target: { kind: 'http', url: 'https://a.example/mcp', headers: {}, transport: 'streamable' } },
    ],
    ['Cursor', '~/.cursor/mcp.json', { mcpServers: { s: stdio } }, { target: started }],
    [
      'Windsurf',
      '~/.codeium/windsurf/mcp_config.json',
      { mcpServers: { s: { serverUrl: 'https://a.example/sse', disabledTools: ['x'] } } },
      {
        target: { kind: 'http', url: 'https://a.example/sse', transport: 'auto' },
        tools: { allow: [], deny: ['x'] },
      },
    ],
    [
      'Codex',
      '~/.codex/config.toml',
      '[mcp_servers.s]\ncommand = "node"\nargs = ["server.js"]\ntool_timeout_sec = 5\nenabled_tools = ["a"]\n',
      { target: started, callTimeoutMs: 5_000, tools: { allow: ['a'], deny: [] } },
    ],
    [
      'Gemini CLI',
      '.gemini/settings.json',
      {
        mcpServers: {
          s: { httpUrl: 'https://a.example', timeout: 700, includeTools: ['a'], excludeTools: ['b'] },
        },
      },
      {
        target: { kind: 'http', url: 'https://a.example', headers: {}, transport: 'streamable' },
        callTimeoutMs: 700,
        tools: { allow: ['a'], deny: ['b'] },
      },
    ],
    [
      'Cline',
      '~/.cline/data/settings/cline_mcp_settings.json',
      { mcpServers: { s: { url: 'https://a.example', timeout: 30, disabled: true } } },
      { target: { kind: 'http', transport: 'auto' }, callTimeoutMs: 30_000, enabled: false },
    ],
    [
      'Cline, nested transport',
      '~/.cline/data/settings/cline_mcp_settings.json',
      { mcpServers: { s: { transport: { type: 'streamableHttp', url: 'https://a.example' } } } },
      { target: { kind: 'http', url: 'https://a.example', transport: 'streamable' } },
    ],
    [
      'Roo Code',
      '.roo/mcp.json',
      { mcpServers: { s: { type: 'streamable-http', url: 'https://a.example', timeout: 10 } } },
      { target: { kind: 'http', transport: 'streamable' }, callTimeoutMs: 10_000 },
    ],
    [
      'Zed',
      '~/.config/zed/settings.json',
      { context_servers: { s: { source: 'custom', ...stdio } } },
      { target: started },
    ],
    [
      'opencode',
      'opencode.json',
      {
        mcp: { s: { type: 'local', command: ['node', 'server.js'], environment: { A: 'b' }, enabled: true } },
      },
      { target: { ...started, env: { A: 'b' } } },
    ],
    [
      'Copilot CLI',
      '~/.copilot/mcp-config.json',
      { mcpServers: { s: { type: 'local', ...stdio, tools: ['*'] } } },
      { target: started, tools: { allow: [], deny: [] } },
    ],
    ['Kiro', '~/.kiro/settings/mcp.json', { mcpServers: { s: stdio } }, { target: started }],
    [
      'mcporter',
      'config/mcporter.json',
      { mcpServers: { s: { ...stdio, allowedTools: ['a'] } } },
      { tools: { allow: ['a'], deny: [] } },
    ],
  ];
  test.each(cases)('%s', async (_, path, content, expected) => {
    const loaded = await configuration({ [path]: content });
    expect(loaded.problems).toEqual([]);
    expect(await named(loaded, 's').resolve()).toMatchObject(expected);
  });

  test('Claude Code keeps servers of one project in the file of the user', async () => {
    const { cwd: directory } = await configuration({});
    const file = { mcpServers: { user: stdio }, projects: { [directory]: { mcpServers: { local: stdio } } } };
    const loaded = await configuration({ '~/.claude.json': file }, { cwd: directory });
    expect(loaded.servers.map(({ name }) => name)).toEqual(['local', 'user']);
  });

  test('the directories of macOS and Windows', async () => {
    const file = { mcpServers: { s: stdio } };
    const mac = await configuration(
      { '~/Library/Application Support/Claude/claude_desktop_config.json': file },
      { platform: 'darwin' },
    );
    expect(mac.servers).toHaveLength(1);
    const windows = await configuration(
      { '~/AppData/Roaming/Code/User/mcp.json': { servers: { s: stdio } } },
      { platform: 'win32' },
    );
    expect(windows.servers).toHaveLength(1);
    const zed = await configuration(
      { '~/AppData/Roaming/Zed/settings.json': { context_servers: { s: stdio } } },
      { platform: 'win32' },
    );
    expect(zed.servers.map(({ format }) => format.title)).toEqual(['Zed']);
  });

  test.each([
    ['CLINE_MCP_SETTINGS_PATH', 'own.json', 'own.json'],
    ['CLINE_DATA_DIR', 'data', 'data/settings/cline_mcp_settings.json'],
    ['CLINE_DIR', 'cline', 'cline/data/settings/cline_mcp_settings.json'],
  ])('Cline reads another file with %s', async (name, value, path) => {
    const { cwd } = await configuration({ [path]: { mcpServers: { s: stdio } } });
    const { servers } = await configuration({}, { cwd, env: { [name]: join(cwd, value) } });
    expect(servers.map(({ format, scope }) => [format.title, scope])).toEqual([['Cline', 'user']]);
  });
});

describe('variables', () => {
  const resolved = async (path: string, entry: object, options: LoadOptions = {}) =>
    named(
      await configuration(
        {
          [path]: path.includes('opencode')
            ? { mcp: { s: entry } }
            : { mcpServers: { s: entry }, servers: { s: entry } },
        },
        options,
      ),
      's',
    ).resolve((id) => (id === 'key' ? 'secret-42' : undefined));
  const envOf = ({ target }: ServerEntry) => (target.kind === 'stdio' ? target.env : {});

  test('Claude Code: ${VAR} and ${VAR:-default}, and a variable without a value is an error with file and line', async () => {
    const env = { A: '1', EMPTY: '' };
    const entry = { command: '${A}', args: ['${B:-two}', '${EMPTY:-three}'], env: { X: 'x${A}y' } };
    expect((await resolved('.mcp.json', entry, { env })).target).toMatchObject({
      command: '1',
      args: ['two', 'three'],
      env: { X: 'x1y' },
    });
    await expect(resolved('.mcp.json', { command: '${NONE}' })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Server "s" in ".*\.mcp\.json", line 3: The variable \$\{NONE\} in "command" is not set$/,
      ),
      phase: 'configuration',
      server: 's',
    });
  });

  test('VS Code: ${env:X}, ${input:id} and ${workspaceFolder}', async () => {
    const entry = {
      ...stdio,
      env: { A: '${env:A}', K: '${input:key}', W: '${workspaceFolder}', N: '${env:NONE}' },
    };
    const server = await resolved('.vscode/mcp.json', entry, { env: { A: '1' } });
    expect(envOf(server)).toMatchObject({
      A: '1',
      K: 'secret-42',
      W: expect.stringContaining('/root'),
      N: '',
    });
    expect(server.variables.map(({ source }) => source)).toEqual([
      'environment',
      'input',
      'built-in',
      'environment',
    ]);
  });

  test('Gemini CLI: $VAR, ${VAR} and %VAR%, empty where there is no value', async () => {
    const entry = { ...stdio, env: { A: '$A-${A}-%A%-$NONE' } };
    expect(envOf(await resolved('.gemini/settings.json', entry, { env: { A: '1' } }))).toEqual({
      A: '1-1-1-',
    });
  });

  test('opencode: {env:X} and {file:path}', async () => {
    const loaded = await configuration(
      {
        'opencode.json': {
          mcp: { s: { command: ['node'], environment: { A: '{env:A}', F: '{file:./token.txt}' } } },
        },
        'token.txt': 'abc\n',
      },
      { env: { A: '1' } },
    );
    expect(envOf(await named(loaded, 's').resolve())).toEqual({ A: '1', F: 'abc' });
  });

  test('Codex: env_vars pass on variables by name, and headers take theirs from the environment', async () => {
    const toml = `[mcp_servers.a]\ncommand = "node"\nenv_vars = ["A", "NONE"]\n
[mcp_servers."b.c"]\nurl = "https://b.example"\nbearer_token_env_var = "TOKEN"\nenv_http_headers = { "X-Team" = "TEAM" }\n`;
    const loaded = await configuration(
      { '.codex/config.toml': toml },
      { env: { A: '1', TOKEN: 't', TEAM: 'core' } },
    );
    expect(envOf(await named(loaded, 'a').resolve())).toEqual({ A: '1' });
    expect(named(loaded, 'b.c').origin.line).toBe(5);
    expect((await named(loaded, 'b.c').resolve()).target).toMatchObject({
      headers: { Authorization: 'Bearer t', 'X-Team': 'core' },
    });
  });

  test('an envFile is read from beside the configuration, and env wins over it', async () => {
    const loaded = await configuration({
      '.cursor/mcp.json': { mcpServers: { s: { ...stdio, envFile: '../.env', env: { B: 'own' } } } },
      '.env': '# comment\nA=1\nB="two words"\n',
    });
    expect(envOf(await named(loaded, 's').resolve())).toEqual({ A: '1', B: 'own' });
  });
});

describe('several files', () => {
  test('the file of the project wins over the file of the user, and says which files it hides', async () => {
    const loaded = await configuration({
      '.mcp.json': { mcpServers: { s: { command: 'project' } } },
      '~/.claude.json': { mcpServers: { s: { command: 'user' }, other: stdio } },
    });
    expect(loaded.servers.map(({ name, scope }) => [name, scope])).toEqual([
      ['s', 'project'],
      ['other', 'user'],
    ]);
    expect(named(loaded, 's').hidden).toEqual([{ file: join(loaded.home, '.claude.json'), line: 3 }]);
  });

  test('a file that cannot be read takes nothing from the others', async () => {
    const loaded = await configuration({
      '.mcp.json': '{\n  "mcpServers": {\n    "s": { "command": "node" \n  "t": 1\n',
      '.codex/config.toml': '[mcp_servers.s\n',
      '~/.claude.json': { mcpServers: { ok: stdio } },
    });
    expect(loaded.servers.map(({ name }) => name)).toEqual(['ok']);
    expect(loaded.problems.map(({ error }) => error.message)).toEqual([
      `Cannot read "${join(loaded.cwd, '.mcp.json')}", line 4, column 3 (offset 52): JSON: comma expected`,
      expect.stringMatching(/config\.toml", line 1, column \d+ \(offset \d+\): TOML: /),
    ]);
  });

  test.each([
    [{ command: 5 }, '"command" must be a string; got 5'],
    [{}, '"command" must be a program to start, unless there is a "url"; got nothing'],
    [{ command: 'a', url: 'https://b.example' }, '"command" must be left out, because the entry has a URL'],
    [{ command: 'a', args: 'b' }, '"args" must be a list of strings; got "b"'],
    [
      { url: 'https://b.example', type: 'websocket' },
      '"type" must be stdio, http, streamable-http or sse; got "websocket"',
    ],
    [{ url: 'not an address' }, '"url" must be an absolute address; got "not an address"'],
    [
      { url: 'wss://b.example/secret' },
      '"url" must begin with http://, https://, unix:/ or pipe:/; got "wss:"',
    ],
    [{ url: 'https://b.example', type: 'constructor' }, '"type" must be stdio, http, streamable-http or sse'],
    [{ command: 'a', timeout: -1 }, '"timeout" must be a number of 0 or more; got -1'],
    ['text', 'an entry must be an object'],
  ])('the entry %j is an error when it is used, not before', async (entry, message) => {
    const loaded = await configuration({ '.mcp.json': { mcpServers: { s: entry, ok: stdio } } });
    await expect(named(loaded, 's').resolve()).rejects.toThrow(message);
    expect((await named(loaded, 'ok').resolve()).target).toEqual(started);
  });

  test('a file that is named must be there, and is read in the format of its name', async () => {
    const missing = await configuration({}, { files: ['/nowhere/mcp.json'] });
    expect(missing.problems[0]!.error.message).toContain('Cannot read the configuration "/nowhere/mcp.json"');
    const { cwd } = await configuration({ 'x.json': { context_servers: { s: stdio } } });
    const loaded = { ...(await loadConfiguration({ files: [join(cwd, 'x.json')] })), home: '', cwd };
    expect((await named(loaded, 's').resolve()).target).toEqual(started);
  });
});

test('explain shows file, line, variables and notes, and masks every secret', async () => {
  const loaded = await configuration(
    {
      '.mcp.json': {
        mcpServers: {
          s: {
            command: 'node',
            args: ['--api-key', 'abc123', '--token=xyz', '--port', '80', 'ghp_0123456789'],
            env: { API_TOKEN: '${TOKEN}', MODE: 'fast' },
          },
        },
      },
      '~/.cline/data/settings/cline_mcp_settings.json': {
        mcpServers: {
          r: { url: 'https://a.example/?api_key=k&x=1', headers: { Authorization: 'Bearer q' } },
        },
      },
    },
    { env: { TOKEN: 'tok-1' } },
  );
  const text = async (name: string) => {
    const server = named(loaded, name);
    return explainServer(server, await server.resolve()).map(([label, value]) => `${label}: ${value}`);
  };
  expect(await text('s')).toEqual([
    'server: s',
    `from: ${join(loaded.cwd, '.mcp.json')}:3 (Claude Code, project)`,
    'command: node --api-key •••• --token=•••• --port 80 ••••',
    'env: API_TOKEN=••••',
    'env: MODE=fast',
    'variable: ${TOKEN} in env.API_TOKEN is "••••" (environment)',
    'timeouts: start 30000 ms, call 60000 ms',
  ]);
  const server = named(loaded, 's');
  const explained = explanationOf(server, await server.resolve());
  expect(explained).toMatchObject({
    file: join(loaded.cwd, '.mcp.json'),
    line: 3,
    target: { args: ['--api-key', '••••', '--token=••••', '--port', '80', '••••'], env: { MODE: 'fast' } },
    variables: [{ text: '${TOKEN}', source: 'environment', value: '••••' }],
  });
  expect(JSON.stringify(explained)).not.toMatch(/abc123|xyz|ghp_|tok-1/);
  const remote = (await text('r')).join('\n');
  expect(remote).not.toMatch(/pw|Bearer q|=k\b/);
  expect(remote).toContain(
    'Cline reads a "url" without a "type" as HTTP+SSE; mcp tries Streamable HTTP first',
  );
});
