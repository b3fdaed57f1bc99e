import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const files = { 'a.txt': 'a', 'b.txt': 'b', 'sub/c.txt': 'c', 'to/b.txt': 'kept' };

async function openWorkspace(content: Record<string, string> = files) {
  const workspace = new Workspace(content);
  const client = await workspace.connect();
  const say = (tool: string, args: object) => workspace.say(client, tool, { ...args });
  const names = (path = '.') =>
    readdirSync(join(workspace.root, path), { recursive: true }).map(String).sort();
  return { workspace, say, names };
}

test('delete_file deletes several paths in one call', async () => {
  const { workspace, say, names } = await openWorkspace();
  using _ = workspace;
  expect(await say('delete_file', { paths: ['a.txt', 'sub'], recursive: true })).toEqual([
    'Permanently deleted 2 paths and 1 entry in them',
  ]);
  expect(names()).toEqual(['b.txt', 'to', 'to/b.txt']);
});

test('a path that cannot be deleted does not prevent the others, and the result is an error', async () => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  const paths = ['missing', '../outside/secret.txt', 'sub', 'a.txt'];
  expect(await say('delete_file', { paths })).toEqual([
    'ERROR',
    [
      'Error for missing: No such file: "missing"',
      'Error for ../outside/secret.txt: Outside the allowed directories: "../outside/secret.txt"',
      'Error for sub: Directory not empty; set recursive to delete its content too: "sub"',
      'Permanently deleted 1 of 4 paths',
    ].join('\n'),
  ]);
  expect(existsSync(join(workspace.outside, 'secret.txt'))).toBe(true);
});

test.each([
  { tool: 'move_file', verb: 'Moved', remains: false },
  { tool: 'copy_file', verb: 'Copied', remains: true },
])('$tool puts several sources into a directory and overwrites nothing', async ({ tool, verb, remains }) => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  const sources = ['a.txt', 'b.txt', 'sub/c.txt'];
  expect(await say(tool, { sources, destination: 'to' })).toEqual([
    'ERROR',
    `Error for b.txt: Already exists: "to/b.txt"\n${verb} 2 of 3 paths`,
  ]);
  expect(readFileSync(join(workspace.root, 'to/b.txt'), 'utf8')).toBe('kept');
  expect(existsSync(join(workspace.root, 'a.txt'))).toBe(remains);
  expect(existsSync(join(workspace.root, 'b.txt'))).toBe(true);
});

test.each([
  { tool: 'delete_file', args: {}, message: 'Give either path or paths' },
  { tool: 'delete_file', args: { path: 'a.txt', paths: ['b.txt'] }, message: 'Give either path or paths' },
  {
    tool: 'delete_file',
    args: { glob: '*.log' },
    message: 'No match for "*.log" in "."; extensions there are .txt',
  },
  {
    tool: 'delete_file',
    args: { paths: ['a.txt'], glob: '*' },
    message: 'Give either paths, or glob with a directory as path',
  },
  { tool: 'move_file', args: { destination: 'to' }, message: 'Give either source or sources' },
  { tool: 'move_file', args: { source: 'a.txt' }, message: 'Give either destination or destinations' },
  {
    tool: 'move_file',
    args: { sources: ['a.txt', 'b.txt'], destinations: ['c.txt'] },
    message: 'Invalid destinations: 1 path for 2 sources; expected one for each source',
  },
  {
    tool: 'copy_file',
    args: { sources: ['..'], destination: 'to' },
    message: 'A source must end in the name of a file or directory, and not in "." or "..": ".."',
  },
  {
    tool: 'move_file',
    args: { glob: '*.txt', destination: 'missing' },
    message: 'No such directory: "missing"; create this directory first',
  },
  {
    tool: 'move_file',
    args: { sources: ['a.txt'], destination: 'missing' },
    message:
      'Error for a.txt: No such directory: "missing"; create this directory first\n' + 'Moved 0 of 1 path',
  },
])('$tool refuses $args and changes nothing', async ({ tool, args, message }) => {
  const { workspace, say } = await openWorkspace();
  using _ = workspace;
  expect(await say(tool, args)).toEqual(['ERROR', message]);
  for (const [path, content] of Object.entries(files))
    expect(readFileSync(join(workspace.root, path), 'utf8')).toBe(content);
});

test('delete_file deletes the files that match a glob, and with dryRun only lists them', async () => {
  const { workspace, say, names } = await openWorkspace({
    'a.tmp': '',
    'x/b.tmp': '',
    'x/c.txt': '',
    'd.tmp/e.tmp': '',
    '.gitignore': '*.tmp',
    'node_modules/f.tmp': '',
  });
  using _ = workspace;
  const leftOut = '1 match in node_modules left out; name node_modules in the glob to include what is there';
  expect(await say('delete_file', { glob: '*.tmp', dryRun: true })).toEqual([
    `a.tmp\nd.tmp/e.tmp\nx/b.tmp\n${leftOut}\nDry run: nothing was deleted; 3 paths would be, permanently`,
  ]);
  expect(names()).toContain('x/b.tmp');
  expect(await say('delete_file', { glob: '*.tmp' })).toEqual([
    `a.tmp\nd.tmp/e.tmp\nx/b.tmp\n${leftOut}\nPermanently deleted 3 paths`,
  ]);
  expect(names()).toEqual(['.gitignore', 'd.tmp', 'node_modules', 'node_modules/f.tmp', 'x', 'x/c.txt']);
});

test('delete_file with recursive deletes the directories that match a glob with their content', async () => {
  const { workspace, say, names } = await openWorkspace({
    'a/cache/x/cache': '',
    'b/cache': '',
    'b/kept': '',
  });
  using _ = workspace;
  expect(await say('delete_file', { glob: 'cache', recursive: true })).toEqual([
    'a/cache\nb/cache\nPermanently deleted 2 paths and 2 entries in them',
  ]);
  expect(names()).toEqual(['a', 'b', 'b/kept']);
});

test('move_file with a glob keeps subdirectories, and moves nothing that is there already', async () => {
  const { workspace, say, names } = await openWorkspace({
    'logs/a.log': 'a',
    'logs/old/b.log': 'b',
    'logs/c.txt': 'c',
    'logs/[archive]/d.log': 'd',
  });
  using _ = workspace;
  const args = { source: 'logs', glob: '*.log', destination: 'logs/[archive]/2026' };
  expect((await say('move_file', args))[0]).toBe('ERROR');
  expect(await say('move_file', { ...args, destination: 'logs/[archive]' })).toEqual([
    'logs/a.log\nlogs/old/b.log\nMoved 2 paths\n' +
      'Undo: move_file with the new paths as sources, the old ones as destinations; 1 created directory remains',
  ]);
  expect(names('logs/[archive]')).toEqual(['a.log', 'd.log', 'old', 'old/b.log']);
  expect(
    await say('copy_file', { source: 'logs', glob: '*.txt', destination: 'x/y', parents: true }),
  ).toEqual(['logs/c.txt\nCopied 1 path\nUndo: delete_file x/y, recursive; 1 created directory remains']);
  expect(names('x')).toEqual(['y', 'y/c.txt']);
});

test('move_file gives each of several sources its own new path', async () => {
  const { workspace, say, names } = await openWorkspace({ 'a.jpeg': '', 'b.jpeg': '' });
  using _ = workspace;
  const args = { sources: ['a.jpeg', 'b.jpeg'], destinations: ['1.jpg', 'new/2.jpg'] };
  expect(await say('move_file', { ...args, parents: true })).toEqual([
    'Moved 2 paths\nUndo: move_file with sources and destinations exchanged; 1 created directory remains',
  ]);
  expect(names()).toEqual(['1.jpg', 'new', 'new/2.jpg']);
  expect(await say('move_file', { source: '1.jpg', destination: 'p/q/1.jpg', parents: true })).toEqual([
    'Moved 1.jpg to p/q/1.jpg\nUndo: move_file with source and destination exchanged; 2 created directories remain',
  ]);
});

describe('a repository with its history, its packages and an empty directory', () => {
  const project = {
    'src/main.ts': '1',
    '.git/HEAD': 'ref: refs/heads/main',
    '.git/refs/heads/main': 'a1',
    'node_modules/a/main.js': '2',
    'node_modules/.bin/x': '',
    '.gitignore': 'dist',
    'dist/out': '3',
  };
  async function openProject() {
    const opened = await openWorkspace({});
    for (const [path, content] of Object.entries(project)) opened.workspace.put(`p/${path}`, content);
    opened.workspace.put('p/.git/refs/tags/gone');
    rmSync(join(opened.workspace.root, 'p/.git/refs/tags/gone'));
    return opened;
  }

  test.each(['**', '*'])('copy_file and move_file with the glob %s leave nothing of it out', async (glob) => {
    const { workspace, say, names } = await openProject();
    using _ = workspace;
    const whole = names('p');
    const copied = await say('copy_file', { source: 'p', glob, destination: 'backup', parents: true });
    expect(copied.join('')).toMatch(/Copied 8 paths\nUndo: delete_file backup, recursive$/);
    expect(copied.join('')).not.toContain('left out');
    expect(names('backup')).toEqual(whole);
    await say('move_file', { source: 'backup', glob, destination: 'moved', parents: true });
    expect(names('moved')).toEqual(whole);
  });

  test('a glob of some names leaves out what is inside .git and node_modules, and says so', async () => {
    const { workspace, say, names } = await openProject();
    using _ = workspace;
    const before = names();
    const leftOut =
      '1 match in .git left out; name .git in the glob to include what is there\n' +
      '1 match in node_modules left out; name node_modules in the glob to include what is there';
    const args = { source: 'p', glob: 'main*', destination: 'x', parents: true };
    expect(await say('copy_file', args)).toEqual([
      `p/src/main.ts\n${leftOut}\nCopied 1 path\nUndo: delete_file x, recursive`,
    ]);
    expect(names('x')).toEqual(['src', 'src/main.ts']);
    expect(await say('copy_file', { ...args, glob: '**/node_modules/**/main*', destination: 'y' })).toEqual([
      'p/node_modules/a/main.js\nCopied 1 path\nUndo: delete_file y, recursive',
    ]);
    expect((await say('move_file', { ...args, destination: 'z' }))[0]).toContain(leftOut);
    await say('move_file', { source: 'z', glob: '*', destination: 'p' });
    await say('delete_file', { paths: ['x', 'y', 'z'], recursive: true });
    expect(names()).toEqual(before);
    expect(await say('delete_file', { path: 'p', glob: 'HEAD' })).toEqual([
      'ERROR',
      'No match for "HEAD" in "p"; 1 match in .git left out; name .git in the glob to include what is there',
    ]);
    const [said = ''] = await say('delete_file', { path: 'p', glob: '**', recursive: true });
    expect(said).toContain('6 matches in .git left out; name .git in the glob to include what is there');
    expect(names('p/.git')).toEqual(['HEAD', 'refs', 'refs/heads', 'refs/heads/main', 'refs/tags']);
  });
});

test('copy_file joins the matches of a glob in natural order, and says it', async () => {
  const parts = Object.fromEntries([1, 2, 3, 10, 20, 100].map((part) => [`part${part}`, `${part} `]));
  const { workspace, say } = await openWorkspace({ ...parts, part02b: 'b ' });
  using _ = workspace;
  expect(await say('copy_file', { glob: 'part*', destination: 'all', join: true })).toEqual([
    'Joined 7 files to all (18 bytes) in natural order, part1 to part100\nUndo: delete_file all',
  ]);
  expect(workspace.read('all')).toBe('1 2 b 3 10 20 100 ');
});

test('copy_file joins files in the given order, and leaves nothing where that fails', async () => {
  const { workspace, say, names } = await openWorkspace({ 'p.1': 'one\r\n', 'p.2': 'two', 'p.10': 'ten' });
  using _ = workspace;
  writeFileSync(join(workspace.root, 'p.2'), Buffer.from([0, 0xff]));
  const sources = ['p.1', 'p.2', 'p.10'];
  expect(await say('copy_file', { sources, destination: 'all', join: true })).toEqual([
    'Joined 3 files to all (10 bytes)\nUndo: delete_file all',
  ]);
  expect(readFileSync(join(workspace.root, 'all'), 'latin1')).toBe('one\r\n\0\xfften');
  for (const [args, reason] of [
    [{ sources, destination: 'all' }, 'Already exists: "all"'],
    [{ sources: ['p.1', '../outside/secret.txt'], destination: 'x' }, /^Outside the allowed directories/],
    [{ sources: ['p.1', '.'], destination: 'x' }, 'Not a regular file but a directory: "."'],
    [{ sources, destination: '../outside/x' }, /^Outside the allowed directories/],
  ] as const)
    expect(await say('copy_file', { ...args, join: true })).toEqual([
      'ERROR',
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    ]);
  expect(names()).toEqual(['all', 'p.1', 'p.10', 'p.2']);
  expect(workspace.outsideNames).toEqual(['secret.txt']);
});

test('a recursive glob of delete_file keeps the directories above what it leaves out', async () => {
  const files = {
    'p/a': '',
    'p/sub/b': '',
    'p/sub/.git/HEAD': '',
    'p/sub/in/node_modules/m': '',
    'p/no/c': '',
  };
  for (const dryRun of [true, false]) {
    const { workspace, say, names } = await openWorkspace(files);
    using _ = workspace;
    const [said = ''] = await say('delete_file', { path: 'p', glob: '*', recursive: true, dryRun });
    expect(said.split('\n').slice(0, 6)).toEqual([
      'p/a',
      'p/no',
      'p/sub/b',
      '2 matches in .git left out; name .git in the glob to include what is there',
      '2 matches in node_modules left out; name node_modules in the glob to include what is there',
      'Not deleted, because they contain entries that are left out: p/sub, p/sub/in',
    ]);
    if (dryRun) continue;
    expect(names('p')).toEqual([
      'sub',
      'sub/.git',
      'sub/.git/HEAD',
      'sub/in',
      'sub/in/node_modules',
      'sub/in/node_modules/m',
    ]);
  }
});

test.skipIf(process.platform === 'win32')(
  'directories that a glob keeps have the modes of theirs',
  async () => {
    for (const tool of ['copy_file', 'move_file']) {
      const { workspace, say } = await openWorkspace({ 'p/sub/in/a': 'a', 'p/sub/b': 'b' });
      using _ = workspace;
      const modesOf = (...paths: string[]) =>
        paths.map((path) => statSync(join(workspace.root, path)).mode & 0o777);
      for (const path of ['p', 'p/sub/in']) chmodSync(join(workspace.root, path), 0o700);
      chmodSync(join(workspace.root, 'p/sub'), 0o750);
      const destination = join(workspace.root, 'new/to/');
      await say(tool, { source: 'p', glob: '**', destination, parents: true });
      expect(modesOf('new/to', 'new/to/sub', 'new/to/sub/in')).toEqual([0o700, 0o750, 0o700]);
      expect(workspace.read('new/to/sub/in/a')).toBe('a');
    }
  },
);

test('a glob of delete_file, move_file and copy_file acts on links and not outside', async () => {
  const { workspace, say, names } = await openWorkspace({ 'a.txt': '', 'to/x': '' });
  using _ = workspace;
  symlinkSync(workspace.outside, join(workspace.root, 'out'));
  symlinkSync(join(workspace.outside, 'secret.txt'), join(workspace.root, 'link.txt'));
  for (const glob of ['out/*', '../outside/*'])
    expect((await say('delete_file', { glob, recursive: true }))[0]).toBe('ERROR');
  expect((await say('delete_file', { path: 'out', glob: '*' }))[1]).toBe(
    'Outside the allowed directories: "out"',
  );
  expect((await say('copy_file', { glob: '*.txt', destination: 'to' }))[0]).toBe(
    'a.txt\nlink.txt\nCopied 2 paths\nUndo: delete_file with the new paths as its argument paths',
  );
  expect(readlinkSync(join(workspace.root, 'to/link.txt'))).toBe(join(workspace.outside, 'secret.txt'));
  expect((await say('move_file', { glob: '*.txt', destination: 'out' }))[0]).toBe('ERROR');
  expect((await say('move_file', { glob: 'a.txt', destination: 'out/new', parents: true }))[0]).toBe('ERROR');
  await say('delete_file', { glob: '**', recursive: true });
  expect(names()).toEqual([]);
  expect(workspace.outsideNames).toEqual(['secret.txt']);
});

test('delete_file lists the first 100 of the files that match a glob', async () => {
  const names = Array.from({ length: 150 }, (_, index) => `f${index}`);
  const { workspace, say } = await openWorkspace(Object.fromEntries(names.map((name) => [name, ''])));
  using _ = workspace;
  const [said = ''] = await say('delete_file', { glob: 'f*' });
  expect(said.split('\n').slice(-2)).toEqual(['… 50 more', 'Permanently deleted 150 paths']);
});

test('delete_file stops between two paths when it is cancelled', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `f${index}`);
  using workspace = new Workspace(Object.fromEntries(names.map((name) => [name, ''])));
  await using client = await workspace.connect();
  const controller = new AbortController();
  const cancelled = client.callTool(
    'delete_file',
    { glob: '*' },
    { signal: controller.signal, onProgress: () => controller.abort() },
  );
  await cancelled.catch(() => {});
  const left = readdirSync(workspace.root).length;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(1_000);
});
