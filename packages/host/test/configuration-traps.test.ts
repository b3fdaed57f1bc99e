import { basename, isAbsolute, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainServer, explanationOf } from '../src/config/explain-server.ts';
import { candidates, loadConfiguration } from '../src/config/load-configuration.ts';
import { isToolAllowed } from '../src/trust/is-tool-allowed.ts';
import { configuration, named } from './configuration.ts';

// Configurations of other hosts that are easily misread, and their meaning in those hosts.

const node = { command: 'node' };

test('Claude Code: the local entry of a project wins over its .mcp.json, which wins over the entry of the user', async () => {
  const { cwd, home } = await configuration({
    '.mcp.json': { mcpServers: { s: node, shared: node } },
    '~/.claude.json': '',
  });
  const projects = { [cwd]: { mcpServers: { s: node } } };
  const loaded = await configuration(
    { '~/.claude.json': { mcpServers: { s: node, shared: node }, projects } },
    { cwd },
  );
  const claude = join(loaded.home, '.claude.json');
  expect(home).not.toBe(loaded.home);
  expect(named(loaded, 's').origin.file).toBe(claude);
  expect(named(loaded, 's').scope).toBe('user');
  expect(named(loaded, 's').hidden.map(({ file }) => file)).toEqual([join(cwd, '.mcp.json'), claude]);
  expect(named(loaded, 'shared').origin.file).toBe(join(cwd, '.mcp.json'));
});

test('opencode: a timeout is for the start, not for calls', async () => {
  const loaded = await configuration({
    'opencode.json': { mcp: { s: { command: ['node'], timeout: 700 } } },
  });
  expect(await named(loaded, 's').resolve()).toMatchObject({ startTimeoutMs: 700, callTimeoutMs: 60_000 });
});

test('Gemini CLI: mcp.allowed and mcp.excluded disable servers', async () => {
  const mcpServers = { a: node, b: node, c: node };
  const mcp = { allowed: ['a', 'b'], excluded: ['b'] };
  const { servers } = await configuration({ '.gemini/settings.json': { mcp, mcpServers } });
  expect(servers.filter(({ enabled }) => enabled).map(({ name }) => name)).toEqual(['a']);
});

test.each([
  ['.vscode/mcp.json', 'servers'],
  ['.cursor/mcp.json', 'mcpServers'],
  ['.roo/mcp.json', 'mcpServers'],
])('a relative cwd in %s is below the project, not beside the file', async (path, container) => {
  const loaded = await configuration({ [path]: { [container]: { s: { ...node, cwd: './tools' } } } });
  expect((await named(loaded, 's').resolve()).target).toMatchObject({ cwd: join(loaded.cwd, 'tools') });
});

test('mcporter: a relative cwd is beside the file', async () => {
  const loaded = await configuration({
    'config/mcporter.json': { mcpServers: { s: { ...node, cwd: 'x' } } },
  });
  expect((await named(loaded, 's').resolve()).target).toMatchObject({ cwd: join(loaded.cwd, 'config/x') });
});

describe('inputs of VS Code', () => {
  const files = {
    '.vscode/mcp.json': {
      inputs: [{ type: 'promptString', id: 'api-key', description: 'Key of the service', password: true }],
      servers: { s: { ...node, env: { KEY: '${input:api-key}', OTHER: '${input:none}' } } },
    },
  };

  test('are described to the one who is asked', async () => {
    const asked: unknown[] = [];
    const entry = await named(await configuration(files), 's').resolve((id, input) => {
      asked.push([id, input]);
      return 'value';
    });
    expect(entry.target).toMatchObject({ env: { KEY: 'value' } });
    expect(asked).toEqual([
      ['api-key', { description: 'Key of the service', password: true }],
      ['none', {}],
    ]);
  });

  test('without a value are an error that names the variable to set', async () => {
    await expect(named(await configuration(files), 's').resolve()).rejects.toThrow(
      'The input "api-key" (Key of the service) has no value; set the environment variable MCP_INPUT_API_KEY',
    );
  });

  test('have their default', async () => {
    const loaded = await configuration({
      '.vscode/mcp.json': {
        inputs: [{ type: 'promptString', id: 'port', default: '80' }],
        servers: { s: { ...node, args: ['${input:port}'] } },
      },
    });
    const { target, variables } = await named(loaded, 's').resolve();
    expect(target).toMatchObject({ args: ['80'] });
    expect(variables[0]).toMatchObject({ source: 'default' });
  });
});

test.each([
  ['.mcp.json', 'mcpServers', { url: 'https://a.example', headersHelper: 'token.sh' }, 'headersHelper'],
  ['.vscode/mcp.json', 'servers', { ...node, sandboxEnabled: true }, 'sandboxEnabled'],
  [
    '.gemini/settings.json',
    'mcpServers',
    { httpUrl: 'https://a.example', authProviderType: 'x' },
    'authProviderType',
  ],
])('a key of %s that mcp does not apply is a note', async (path, container, entry, key) => {
  const loaded = await configuration({ [path]: { [container]: { s: entry } } });
  expect((await named(loaded, 's').resolve()).notes).toEqual([`mcp ignores "${key}"`]);
});

test('allowedTools and blockedTools filter tools in every format, and add to what the format hides', async () => {
  const lists = { allowedTools: ['a*'], blockedTools: ['ab'] };
  const loaded = await configuration({
    '.mcp.json': { mcpServers: { s: { ...node, ...lists } } },
    '.gemini/settings.json': { mcpServers: { g: { ...node, ...lists, excludeTools: ['ac'] } } },
  });
  expect((await named(loaded, 's').resolve()).tools).toEqual({ allow: ['a*'], deny: ['ab'] });
  expect((await named(loaded, 'g').resolve()).tools).toEqual({ allow: ['a*'], deny: ['ac', 'ab'] });
});

test('mcporter: keys in snake case, addresses and variables are read as mcporter does', async () => {
  const s = { baseUrl: 'https://a.example/mcp', headers: { 'X-Key': '$env:KEY' }, blocked_tools: ['hide'] };
  const loaded = await configuration(
    { 'config/mcporter.json': { mcpServers: { s } } },
    { env: { KEY: 'value' } },
  );
  expect(await named(loaded, 's').resolve()).toMatchObject({
    target: { url: 'https://a.example/mcp', headers: { 'X-Key': 'value' } },
    tools: { deny: ['hide'] },
  });
});

test('Cursor: ${workspaceFolderBasename} is the name of the directory of the project', async () => {
  const entry = { ...node, args: ['${workspaceFolderBasename}'] };
  const loaded = await configuration({ '.cursor/mcp.json': { mcpServers: { s: entry } } });
  expect((await named(loaded, 's').resolve()).target).toMatchObject({ args: [basename(loaded.cwd)] });
});

test('two lists of tools to show are an error that names both', async () => {
  const entry = { ...node, includeTools: ['a', 'b'], allowedTools: ['a'] };
  const loaded = await configuration({ '.gemini/settings.json': { mcpServers: { s: entry } } });
  await expect(named(loaded, 's').resolve()).rejects.toThrow(
    '"allowedTools" must be left out, because the entry also has "includeTools"',
  );
});

test('an empty variable names no directory of a host', async () => {
  const entry = { mcpServers: { evil: node } };
  const loaded = await configuration(
    { 'mcp-config.json': entry, 'config.toml': '[mcp_servers.evil]\ncommand = "node"' },
    { env: { CODEX_HOME: '', COPILOT_HOME: '', APPDATA: '', XDG_CONFIG_HOME: '' } },
  );
  expect(loaded.files).toEqual([]);
  const paths = candidates({ home: loaded.home, cwd: loaded.cwd, env: { CODEX_HOME: 'relative' } });
  expect(paths.map(({ path }) => path).filter((path) => !isAbsolute(path))).toEqual([]);
});

test.each([
  ['config/mcporter.json', 'mcpServers', 'allowedTools'],
  ['.gemini/settings.json', 'mcpServers', 'includeTools'],
  ['.github/mcp.json', 'mcpServers', 'tools'],
])('%s: an empty list of tools to show hides all', async (path, container, key) => {
  const entry = (tools: readonly string[]) => ({ [path]: { [container]: { s: { ...node, [key]: tools } } } });
  const { tools } = await named(await configuration(entry([])), 's').resolve();
  expect(isToolAllowed('any', tools)).toBe(false);
  expect(isToolAllowed('any', (await named(await configuration(entry(['*'])), 's').resolve()).tools)).toBe(
    true,
  );
});

test('explain masks the secrets of docker, mcp-remote and addresses, wherever a variable is', async () => {
  const mcpServers = {
    docker: { command: 'docker', args: ['run', '-e', 'API_KEY=k-1', '-e', 'MODE=${MODE}', 'image'] },
    remote: { command: 'npx', args: ['mcp-remote', '--header', 'Authorization: Bearer ${TOKEN}'] },
    literal: {
      command: 'npx',
      args: ['--header', 'Authorization:Bearer k-3'],
      env: { AUTH: 'x', HEADER: 'a ${TOKEN}' },
    },
    zapier: { url: 'https://a.example/s/${TOKEN}/mcp', headers: { 'X-Client': 'c ${TOKEN}' } },
  };
  const loaded = await configuration(
    { '.mcp.json': { mcpServers } },
    { env: { TOKEN: 't-2', MODE: 'fast' } },
  );
  const lines = await Promise.all(
    Object.keys(mcpServers).map(async (name) => {
      const server = named(loaded, name);
      const entry = await server.resolve();
      return JSON.stringify([explainServer(server, entry), explanationOf(server, entry)]);
    }),
  );
  expect(lines.join('\n')).not.toMatch(/k-1|t-2|k-3/);
  expect(lines[0]).toContain('docker run -e API_KEY=•••• -e MODE=fast image');
  expect(lines[1]).toContain("npx mcp-remote --header 'Authorization: ••••'");
  expect(lines[3]).toContain('https://a.example/s/••••/mcp');
});

test('Codex: a bearer_token in the file is refused, as Codex does', async () => {
  const toml = '[mcp_servers.s]\nurl = "https://a.example"\nbearer_token = "secret"\n';
  const loaded = await configuration({ '.codex/config.toml': toml });
  await expect(named(loaded, 's').resolve()).rejects.toThrow(
    /line 3: "bearer_token" must be left out: put the token into an environment variable, and the name of that into "bearer_token_env_var"$/,
  );
});

test('Zed: a server of an extension is an error that says so, and the older form of a command is read', async () => {
  const loaded = await configuration({
    '~/.config/zed/settings.json': {
      context_servers: {
        e: { source: 'extension', settings: {} },
        old: { command: { path: 'node', args: ['a.js'], env: { A: 'b' } } },
      },
    },
  });
  await expect(named(loaded, 'e').resolve()).rejects.toThrow(
    'only Zed can start this server, because its command is in an extension of Zed',
  );
  expect((await named(loaded, 'old').resolve()).target).toMatchObject({
    command: 'node',
    args: ['a.js'],
    env: { A: 'b' },
  });
});

test('opencode: "oauth": false is no login', async () => {
  const entry = { type: 'remote', url: 'https://a.example', oauth: false };
  const loaded = await configuration({ 'opencode.json': { mcp: { s: entry } } });
  expect((await named(loaded, 's').resolve()).target).toMatchObject({ kind: 'http', oauth: undefined });
});

test.each([
  ['servers', '${env:A}', 'VS Code'],
  ['mcp', '{env:A}', 'opencode'],
  ['context_servers', '${env:A}', 'Zed'],
])('a file of any name with "%s" has the variables of its host', async (container, variable, title) => {
  const { cwd } = await configuration({
    'x.json': { [container]: { s: { ...node, env: { A: variable } } } },
  });
  const { servers } = await loadConfiguration({ files: [join(cwd, 'x.json')], env: { A: '1' } });
  expect(servers[0]!.format.title).toBe(title);
  const value = title === 'Zed' ? variable : '1';
  expect((await servers[0]!.resolve()).target).toMatchObject({ env: { A: value } });
});

test('a well-known file that is named has the format of its host', async () => {
  const { home, cwd } = await configuration({ '~/.copilot/mcp-config.json': { mcpServers: { s: node } } });
  const files = [join(home, '.copilot/mcp-config.json')];
  const { servers } = await loadConfiguration({ files, home, cwd, env: {}, platform: 'linux' });
  expect(servers[0]!.format.title).toBe('Copilot CLI');
});
