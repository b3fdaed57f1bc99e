import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('a repository that borrows objects from outside the allowed directories is refused', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const foreign = await workspace.foreign();
  const secret = await workspace.gitAt(foreign).revparse('HEAD');
  await using client = await workspace.connect();
  mkdirSync(join(workspace.root, '.git/objects/info'), { recursive: true });
  const alternates = join(workspace.root, '.git/objects/info/alternates');
  for (const line of [
    `${foreign}/.git/objects`,
    '../../../../outside/foreign/.git/objects',
    `"${foreign}/.git/objects"`,
  ]) {
    writeFileSync(alternates, `# a comment\n${line}\n`);
    const text = await workspace.callText(client, 'git_show', { revision: secret });
    expect(text).toMatch(/^ERROR /);
    expect(text).not.toContain('SECRET');
  }
  // A repository that borrows from another that borrows.
  mkdirSync(join(workspace.allowed, 'step/info'), { recursive: true });
  writeFileSync(join(workspace.allowed, 'step/info/alternates'), `${foreign}/.git/objects\n`);
  writeFileSync(alternates, `${join(workspace.allowed, 'step')}\n`);
  expect(await workspace.callText(client, 'git_show', { revision: secret })).toMatch(/^ERROR .*outside/);
});

test('a forged commondir that leads outside is refused', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const foreign = await workspace.foreign();
  await using client = await workspace.connect();
  await workspace.callText(client, 'git_log');
  writeFileSync(join(workspace.root, '.git/commondir'), `${foreign}/.git\n`);
  const text = await workspace.callText(client, 'git_log');
  expect(text).toMatch(/^ERROR /);
  expect(text).not.toContain('secret');
});

test.each(['HEAD', 'index', 'packed-refs', 'refs', 'config', 'objects'])(
  'a symlink to outside in place of %s is refused',
  async (name) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    const foreign = await workspace.foreign();
    await workspace.gitAt(foreign).raw(['pack-refs', '--all']);
    await using client = await workspace.connect();
    await workspace.callText(client, 'git_log');
    rmSync(join(workspace.root, '.git', name), { recursive: true, force: true });
    symlinkSync(join(foreign, '.git', name), join(workspace.root, '.git', name));
    expect(await workspace.callText(client, 'git_status')).toMatch(/^ERROR .*outside/);
  },
);

test.each([
  'logs/HEAD',
  'logs/refs',
  'logs/refs/heads/main',
  'refs/heads',
  'refs/heads/evil',
  'ORIG_HEAD',
  'MERGE_MODE',
  'AUTO_MERGE',
  'rr-cache',
  'info/exclude',
  'objects/pack',
  'objects/info',
  'objects/e9',
])('a link to outside in place of %s is neither read nor written', async (name) => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.raw(['pack-refs', '--all']);
  const link = join(workspace.root, '.git', name);
  const target = join(workspace.outside, 'target');
  if (/HEAD|MERGE|main|evil|exclude/.test(name)) writeFileSync(target, await workspace.git.revparse('HEAD'));
  else mkdirSync(target);
  const before = [readdirSync(workspace.outside), lstatSync(target).mtimeMs, lstatSync(target).size];
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(target, link);
  await using client = await workspace.connect();
  const refused = `ERROR ${JSON.stringify(name)} of the repository is outside the allowed directories: "/outside/target"`;
  for (const [tool, args] of [
    ['git_log', {}],
    ['git_create_branch', { branch_name: 'new' }],
    ['git_commit', { message: 'a line for a file of the user', allow_empty: true }],
    ['git_integrate', { action: 'merge', revision: 'HEAD' }],
  ] as const) {
    expect(await workspace.callText(client, tool, args), tool).toBe(refused);
  }
  expect([readdirSync(workspace.outside), lstatSync(target).mtimeMs, lstatSync(target).size]).toEqual(before);
});

test('a symlink to outside that is created while the server runs is refused by the next write', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  await workspace.callText(client, 'git_log');
  const target = join(workspace.outside, 'target');
  writeFileSync(target, '');
  rmSync(join(workspace.root, '.git/logs/HEAD'));
  symlinkSync(target, join(workspace.root, '.git/logs/HEAD'));
  expect(await workspace.callText(client, 'git_commit', { message: 'm', allow_empty: true })).toMatch(
    /^ERROR .*outside/,
  );
  expect(readFileSync(target, 'utf8')).toBe('');
});

test('symlinks to paths inside are followed, and directories of other programs are ignored', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const objects = join(workspace.root, '.git/objects');
  renameSync(objects, join(workspace.allowed, 'objects'));
  symlinkSync('../../objects', objects);
  symlinkSync(workspace.outside, join(workspace.root, '.git/lfs'));
  await using client = await workspace.connect({ directories: [workspace.allowed, workspace.root] });
  const repo_path = workspace.root;
  expect(
    await workspace.callText(client, 'git_commit', { message: 'm', allow_empty: true, repo_path }),
  ).toContain('Committed');
  expect(await workspace.output(['rev-list', '--count', 'HEAD'])).toBe('2');
});

test('a path that is not UTF-8 cannot hide a repository outside', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const secret = await workspace.gitAt(await workspace.foreign()).revparse('HEAD');
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  const git = join(workspace.root, '.git');
  // The link is where only git follows it: outside the checked paths.
  symlinkSync(join(workspace.outside, 'foreign/.git'), bytes(`${workspace.root}/evil\xff`));
  await using client = await workspace.connect();
  mkdirSync(join(git, 'objects/info'), { recursive: true });
  writeFileSync(join(git, 'objects/info/alternates'), bytes('../../evil\xff/objects\n'));
  expect(await workspace.callText(client, 'git_show', { revision: secret })).toBe(
    'ERROR The repository borrows objects from a path that is not UTF-8',
  );
  rmSync(join(git, 'objects/info/alternates'));
  const foreign = bytes(`${workspace.outside}/foreign\xff`);
  renameSync(join(workspace.outside, 'foreign'), foreign);
  writeFileSync(join(git, 'commondir'), Buffer.concat([foreign, bytes('/.git\n')]));
  expect(await workspace.callText(client, 'git_log')).toBe(
    'ERROR The path of the repository is not UTF-8 or contains a line break',
  );
});

test('repositories that borrow objects from each other are checked once', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const objects = join(workspace.root, '.git/objects');
  const others = ['one', 'two', 'three'].map((name) => join(workspace.allowed, name));
  const list = [objects, ...others, '.', './.', '../objects']
    .map((path) => `${path}\n`)
    .join('')
    .repeat(100);
  for (const directory of [objects, ...others]) {
    mkdirSync(join(directory, 'info'), { recursive: true });
    writeFileSync(join(directory, 'info/alternates'), list);
  }
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  expect(await workspace.callText(client, 'git_log', { repo_path: 'repo' })).toContain('first');
  writeFileSync(join(objects, 'info/alternates'), 'x\n'.repeat(40_000));
  expect(await workspace.callText(client, 'git_log', { repo_path: 'repo' })).toBe(
    'ERROR Too large: "alternates" of the repository; at most 65536 bytes are read',
  );
});

test.each(['utf8', 'latin1'] as const)(
  'a directory replaced by a symlink out of the work tree is not read, with a name in %s',
  async (encoding) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n', 'k\u00e9ys/id': 'x\n', 'deep/er/id': 'x\n' });
    const named = (name: string) => Buffer.from(join(workspace.root, name), encoding);
    if (encoding === 'latin1') {
      renameSync(join(workspace.root, 'k\u00e9ys'), named('k\u00e9ys'));
      await workspace.commit('renamed');
    }
    mkdirSync(join(workspace.outside, 'keys/er'), { recursive: true });
    for (const path of ['keys/id', 'keys/er/id']) writeFileSync(join(workspace.outside, path), 'SECRET\n');
    for (const name of [named('k\u00e9ys'), named('deep')]) {
      rmSync(name, { recursive: true });
      symlinkSync(join(workspace.outside, 'keys'), name);
    }
    await using client = await workspace.connect();
    expect(await workspace.callText(client, 'git_grep', { pattern: 'SECRET' })).toBe('No matches');
    expect(await workspace.callText(client, 'git_grep', { pattern: 'a' })).toBe('a.txt:1\ta\n1 match');
    expect(await workspace.callText(client, 'git_grep', { pattern: 'x', revision: 'HEAD' })).toContain(
      'deep/er/id:1\tx',
    );
    for (const path of ['k\u00e9ys/id', 'deep/er/id']) {
      expect(await workspace.callText(client, 'git_blame', { path })).toMatch(
        /^ERROR (No such file, or beyond a symlink|The path leads through a symbolic link)/,
      );
    }
    expect(
      await workspace.callText(client, 'git_blame', { path: 'deep/er/id', revision: 'HEAD', text: true }),
    ).toContain('x');
    expect(await workspace.callText(client, 'git_blame', { path: 'a.txt', text: true })).toContain('\ta');
  },
);

test('an error of the configuration reveals nothing of files outside', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const secret = join(workspace.outside, 'secret');
  writeFileSync(secret, 'SECRET\n');
  const far = join(workspace.allowed, 'far');
  await workspace.gitAt(workspace.allowed).clone(workspace.root, 'far', ['--bare']);
  await workspace.git.checkoutLocalBranch('other');
  await workspace.commit('theirs', { 'b.txt': 'b\n' });
  await workspace.git.push(far, 'other');
  await workspace.git.checkout('main');
  await workspace.commit('ours', { 'c.txt': 'c\n' });
  await workspace.git.addRemote('origin', far);
  await workspace.git.addConfig('branch.main.mergeOptions', `-F ${secret}`);
  for (const side of ['fetch', 'receive']) {
    await workspace.gitAt(side === 'fetch' ? workspace.root : far).addConfig(`${side}.fsckObjects`, 'true');
    await workspace.gitAt(side === 'fetch' ? workspace.root : far).addConfig(`${side}.fsck.skipList`, secret);
  }
  await workspace.git.deleteLocalBranch('other', true);
  await workspace.git.raw(['reflog', 'expire', '--expire=now', '--all']);
  await workspace.git.raw(['gc', '-q', '--prune=now']);
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const say = (tool: string, args = {}) => workspace.callText(client, tool, { repo_path: 'repo', ...args });
  expect(await say('git_fetch')).toBe('Fetched from "origin"');
  expect(await say('git_push')).toBe('Pushed main to origin/main');
  expect(await say('git_integrate', { action: 'merge', revision: 'origin/other' })).toContain('Done');
  expect(await workspace.output(['log', '--format=%B'])).not.toContain('SECRET');
});
