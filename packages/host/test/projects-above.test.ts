import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { smallServer } from './small-server.ts';
import { program, Workspace } from './workspace.ts';

/** A home directory with a repository `work`, and how to run `mcp` in a directory below it. */
function home() {
  const workspace = new Workspace();
  onTestFinished(() => workspace[Symbol.dispose]());
  const small = smallServer(workspace.directory);
  const put = (path: string, servers: object) => {
    const file = join(workspace.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ mcpServers: servers }));
    return file;
  };
  const directory = (path: string) => {
    mkdirSync(join(workspace.home, path), { recursive: true });
    return join(workspace.home, path);
  };
  const mcp = (path: string, ...words: string[]) =>
    runProgram(program, words, { env: workspace.env, cwd: directory(path) });
  const listed = async (path: string) => {
    const { stdout } = await mcp(path, '--json', 'list');
    return (JSON.parse(stdout) as { servers: { name: string }[] }).servers.map(({ name }) => name);
  };
  directory('work/.git');
  return { mcp, put, directory, listed, small, home: workspace.home };
}

test('files of the project are found up to the root of the repository, the nearest first', async () => {
  const { mcp, put, listed } = home();
  put('work/.mcp.json', { root: { command: 'x' }, both: { command: 'far' } });
  put('work/a/.cursor/mcp.json', { both: { command: 'near' } });
  put('.mcp.json', { above: { command: 'x' } });
  expect(await listed('work/a/b')).toEqual(['both', 'root']);
  expect((await mcp('work/a/b', 'config', 'explain', 'both')).stdout).toMatch(/command +near/);
  expect(await listed('work')).toEqual(['root', 'both']);
});

test.each([
  ['the repository is the home directory', '.git', 'x/y', []],
  ['there is no repository', 'other', 'x/y', []],
  ['the current directory is the home directory', '.git', '.', ['own']],
])('nothing of the home directory is found where %s', async (_, made, cwd, found) => {
  const { put, directory, listed } = home();
  directory(made);
  put('.mcp.json', { own: { command: 'x' } });
  put('x/.mcp.json', { above: { command: 'x' } });
  expect(await listed(cwd)).toEqual(found);
});

test('a server of a project above is started in the project, after one consent for all its directories', async () => {
  const { mcp, put, directory } = home();
  const script = "require('fs').writeFileSync('started', process.cwd())";
  const file = put('work/.mcp.json', { s: { command: process.execPath, args: ['-e', script] } });
  const refused = await mcp('work/a', 'ping', 's');
  expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining('no consent') });
  await mcp('work/a', '--yes', 'ping', 's');
  expect(readFileSync(join(directory('work'), 'started'), 'utf8')).toBe(directory('work'));
  expect((await mcp('work', 'ping', 's')).code).toBe(4);
  expect((await mcp('work/b/c', 'ping', 's')).code).toBe(4);
  writeFileSync(file, readFileSync(file, 'utf8').replace('started', 'changed'));
  expect((await mcp('work/a', 'ping', 's')).code).toBe(7);
  expect(existsSync(join(directory('work'), 'changed'))).toBe(false);
});

test('the project of a server is its root, and mcp remove deletes it from below', async () => {
  const { mcp, put, small } = home();
  const file = put('work/.mcp.json', { s: small });
  expect((await mcp('work/a', '--yes', 'tools', 's')).stdout).toContain('pid');
  expect(await mcp('work/a', 'remove', 's')).toMatchObject({ code: 0, stdout: `Removed "s" from ${file}\n` });
  expect(await mcp('work/a', 'add', 't', '--project', '--', 'x')).toMatchObject({
    stdout: expect.stringContaining(join('work', 'a', '.mcp.json')),
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'a file of another user above is not used, nor a link to one',
  async () => {
    const { mcp, put, directory } = home();
    chownSync(put('work/.mcp.json', { theirs: { command: 'x' } }), 12_345, 12_345);
    const other = put('other.json', { linked: { command: 'x' } });
    chownSync(other, 12_345, 12_345);
    symlinkSync(other, join(directory('work/.cursor'), 'mcp.json'));
    const { stdout, stderr } = await mcp('work/a', 'list');
    expect(stdout).not.toMatch(/theirs|linked/);
    expect((stdout + stderr).match(/is not used: it belongs to another user, and is above/g)).toHaveLength(2);
    expect((await mcp('work', 'list')).stdout).toContain('theirs');
  },
);
