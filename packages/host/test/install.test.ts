import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from './place.ts';

test('mcp install writes the entry of a host, says what and where, and how to undo it', async () => {
  const { mcp, home, root } = place();
  const command = ['npx', '-y', '@mcp/server-filesystem', '.'];
  const { stdout, stderr, code } = await mcp(
    'install',
    'claude-desktop',
    '--env',
    'KEY=abc',
    '--',
    ...command,
  );
  const file = join(home, '.config/Claude/claude_desktop_config.json');
  expect({ stdout, code }).toEqual({ stdout: `Added "filesystem" to Claude Desktop: ${file}:3\n`, code: 0 });
  expect(stderr.split('\n')).toEqual([
    '{"filesystem":{"command":"npx","args":["-y","@mcp/server-filesystem","."],"env":{"KEY":"••••"}}}',
    `.: relative to the directory in which Claude Desktop starts the server; write ${root} instead`,
    `to undo: rm ${file}`,
    'to try it: mcp ping filesystem',
    '',
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    mcpServers: { filesystem: { command: 'npx', args: command.slice(1), env: { KEY: 'abc' } } },
  });
  const again = await mcp('install', 'claude-desktop', '--', ...command);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already; --force replaces it') });
  const forced = await mcp(
    'install',
    'claude-desktop',
    '--force',
    '--',
    'npx',
    '@mcp/server-filesystem',
    '/',
  );
  expect(forced.stderr).toMatch(/^to undo: cp \S+ \S+$/m);
});

test.each([
  [['--', 'uvx', 'mcp-server-git'], 'git'],
  [['--', 'npx', '-y', '@github/mcp-server@1.2.0', 'stdio'], 'github'],
  [['--', 'npx', '-y', 'notion-mcp-server'], 'notion'],
  [['--', 'github-mcp-server.exe', 'stdio'], 'github'],
  [['--', 'node', '/opt/tools/weather.mjs'], 'weather'],
  [['https://mcp.linear.app/mcp'], 'linear'],
  [['http://localhost:8080/mcp'], 'localhost'],
  [['--name', 'mine', '--', 'docker', 'run', 'image'], 'mine'],
])('the server of %j is %s', async (words, name) => {
  const { mcp } = place();
  const { stdout, stderr } = await mcp('install', 'vscode', '--dry-run', ...words);
  expect(stderr).toBe('');
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual([name]);
});

test.each([
  [
    ['cursor', '--', 'docker', 'run', 'image'],
    'The command does not tell a name of the server; --name gives one',
  ],
  [['curser', '--', 'x'], 'Unknown host: "curser"; expected mcp, claude-desktop'],
  [['cursor', 'x'], 'Name a host, and the command or the URL of a server'],
  [['claude-desktop', 'https://mcp.example.com'], 'Claude Desktop starts commands only'],
  [['cursor', '--client-id', 'a', '--', 'x'], '--client-id is for a server with a URL'],
])('mcp install %j is refused', async (words, message) => {
  const { mcp, home } = place();
  const { stderr, code } = await mcp('install', ...words);
  expect(stderr).toContain(message);
  expect(code).toBe(1);
  expect(existsSync(join(home, '.cursor'))).toBe(false);
});

test('--client-id is written as the host spells it', async () => {
  const { mcp, home } = place();
  await mcp('install', 'cursor', 'https://mcp.example.com/mcp', '--client-id', 'abc');
  expect(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).toContain('"CLIENT_ID": "abc"');
});

test('a relative path in the file of a user is said, with the path to write', async () => {
  const { mcp, root, directory } = place();
  directory.put('data/notes.db', '');
  const said = async (...words: string[]) =>
    (await mcp('install', 'cursor', '--force', '--name', 's', ...words)).stderr
      .split('\n')
      .filter((line) => line.includes('relative to'));
  const at = 'relative to the directory in which Cursor starts the server; write';
  for (const [words, paths] of [
    [['node', 'dist/index.js'], 'dist/index.js'],
    [['./server.sh', '--flag'], './server.sh'],
    [['bin/server.sh', 'data/notes.db'], 'bin/server.sh, data/notes.db'],
  ] as const) {
    const absolute = paths.split(', ').map((path) => join(root, path));
    expect(await said('--', ...words)).toEqual([`${paths}: ${at} ${absolute.join(', ')} instead`]);
  }
  expect(await said('--dry-run', '--', 'node', 'dist/index.js')).toHaveLength(1);
  for (const words of [
    ['npx', '-y', '@mcp/server-filesystem@1.2', '/srv/notes'],
    ['node', '/srv/index.js', 'https://a.b/c.js'],
  ])
    expect(await said('--', ...words)).toEqual([]);
  expect(await said('--project', '--', 'node', 'dist/index.js')).toEqual([]);
});
