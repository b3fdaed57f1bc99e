import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
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
import { run } from './program.ts';
import { problem, Workspace } from './workspace.ts';

const away = /^ERROR Outside the repositories named at the start: /;

test('G23 G24 G25 G26 refuses a repository outside, however it is written', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const foreign = workspace.foreign();
  symlinkSync(foreign, join(workspace.allowed, 'slink'));
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  for (const repo_path of [
    foreign,
    '../outside/foreign',
    '..',
    '/',
    join(workspace.allowed, 'slink'),
    'slink',
  ]) {
    expect(await workspace.say(client, 'git_status', { repo_path }), repo_path).toMatch(away);
    expect(await workspace.say(client, 'git_log', { repo_path }), repo_path).toMatch(away);
  }
  // Nothing is expanded: these are names of directories that are not there.
  for (const repo_path of ['~/foreign', '$HOME/foreign', '${HOME}/../../outside']) {
    expect(await workspace.say(client, 'git_status', { repo_path }), repo_path).toMatch(
      /^ERROR (No such directory|Outside the repositories named at the start): /,
    );
  }
  expect(await workspace.say(client, 'git_status', { repo_path: 'repo' })).toContain('On main');
});

test('G27 refuses a .git file that leads out', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const foreign = workspace.foreign();
  mkdirSync(join(workspace.allowed, 'gf'));
  writeFileSync(join(workspace.allowed, 'gf/.git'), `gitdir: ${foreign}/.git\n`);
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  expect(await workspace.say(client, 'git_log', { repo_path: 'gf' })).toMatch(
    /^ERROR The repository's git directory is outside the repositories named at the start/,
  );
});

test('G28 refuses a work tree outside', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.git('config', 'core.worktree', workspace.outside);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_status')).toMatch(
    /^ERROR The repository's work tree is outside the repositories named at the start/,
  );
  const { code, stderr } = await run([workspace.root], { env: workspace.environment, open: true });
  expect(code).toBe(2);
  expect(stderr).toContain("The repository's work tree is outside");
});

test('G28 refuses it also when it is set while the server runs', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  writeFileSync(join(workspace.outside, 'secret-name'), '');
  await using client = await workspace.connect();
  await workspace.say(client, 'git_status');
  workspace.git('config', 'core.worktree', workspace.outside);
  const said = await workspace.say(client, 'git_status');
  expect(said).toMatch(/^ERROR /);
  expect(said).not.toContain('secret-name');
});

test('G29 refuses objects that are borrowed from outside', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const foreign = workspace.foreign();
  const secret = workspace.gitIn(foreign, 'rev-parse', 'HEAD');
  await using client = await workspace.connect();
  mkdirSync(join(workspace.root, '.git/objects/info'), { recursive: true });
  const alternates = join(workspace.root, '.git/objects/info/alternates');
  for (const line of [
    `${foreign}/.git/objects`,
    '../../../../outside/foreign/.git/objects',
    `"${foreign}/.git/objects"`,
  ]) {
    writeFileSync(alternates, `# a comment\n${line}\n`);
    const said = await workspace.say(client, 'git_show', { revision: secret });
    expect(said).toMatch(/^ERROR /);
    expect(said).not.toContain('SECRET');
  }
  // One that borrows from one that borrows.
  mkdirSync(join(workspace.allowed, 'step/info'), { recursive: true });
  writeFileSync(join(workspace.allowed, 'step/info/alternates'), `${foreign}/.git/objects\n`);
  writeFileSync(alternates, `${join(workspace.allowed, 'step')}\n`);
  expect(await workspace.say(client, 'git_show', { revision: secret })).toMatch(/^ERROR .*outside/);
});

test('G30 refuses a forged commondir', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const foreign = workspace.foreign();
  await using client = await workspace.connect();
  await workspace.say(client, 'git_log');
  writeFileSync(join(workspace.root, '.git/commondir'), `${foreign}/.git\n`);
  const said = await workspace.say(client, 'git_log');
  expect(said).toMatch(/^ERROR /);
  expect(said).not.toContain('secret');
});

test.each(['HEAD', 'index', 'packed-refs', 'refs', 'config', 'objects'])(
  'a link in place of %s that leads out is refused',
  async (name) => {
    using workspace = new Workspace({ 'a.txt': 'a\n' });
    const foreign = workspace.foreign();
    workspace.gitIn(foreign, 'pack-refs', '--all');
    await using client = await workspace.connect();
    await workspace.say(client, 'git_log');
    rmSync(join(workspace.root, '.git', name), { recursive: true, force: true });
    symlinkSync(join(foreign, '.git', name), join(workspace.root, '.git', name));
    expect(await workspace.say(client, 'git_status')).toMatch(/^ERROR .*outside/);
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
])('a link in place of %s that leads out is neither written nor read through', async (name) => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.git('pack-refs', '--all');
  const link = join(workspace.root, '.git', name);
  const target = join(workspace.outside, 'target');
  if (/HEAD|MERGE|main|evil|exclude/.test(name)) writeFileSync(target, workspace.git('rev-parse', 'HEAD'));
  else mkdirSync(target);
  const before = [readdirSync(workspace.outside), lstatSync(target).mtimeMs, lstatSync(target).size];
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(target, link);
  await using client = await workspace.connect();
  const refused = `ERROR ${JSON.stringify(name)} of the repository is outside the repositories named at the start: "/outside/target"`;
  for (const [tool, args] of [
    ['git_log', {}],
    ['git_create_branch', { branch_name: 'new' }],
    ['git_commit', { message: 'a line for a file of the user', allow_empty: true }],
    ['git_integrate', { action: 'merge', revision: 'HEAD' }],
  ] as const) {
    expect(await workspace.say(client, tool, args), tool).toBe(refused);
  }
  expect([readdirSync(workspace.outside), lstatSync(target).mtimeMs, lstatSync(target).size]).toEqual(before);
});

test('a link that is set while the server runs is seen before the next change', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  await using client = await workspace.connect();
  await workspace.say(client, 'git_log');
  const target = join(workspace.outside, 'target');
  writeFileSync(target, '');
  rmSync(join(workspace.root, '.git/logs/HEAD'));
  symlinkSync(target, join(workspace.root, '.git/logs/HEAD'));
  expect(await workspace.say(client, 'git_commit', { message: 'm', allow_empty: true })).toMatch(
    /^ERROR .*outside/,
  );
  expect(readFileSync(target, 'utf8')).toBe('');
});

test('links that stay inside are followed, and what other programs keep is left alone', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const objects = join(workspace.root, '.git/objects');
  renameSync(objects, join(workspace.allowed, 'objects'));
  symlinkSync('../../objects', objects);
  symlinkSync(workspace.outside, join(workspace.root, '.git/lfs'));
  await using client = await workspace.connect({ directories: [workspace.allowed, workspace.root] });
  const repo_path = workspace.root;
  expect(await workspace.say(client, 'git_commit', { message: 'm', allow_empty: true, repo_path })).toContain(
    'Committed',
  );
  expect(workspace.git('rev-list', '--count', 'HEAD')).toBe('2');
});

test('G29 G30 a path that is not UTF-8 hides nothing', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const secret = workspace.gitIn(workspace.foreign(), 'rev-parse', 'HEAD');
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  const git = join(workspace.root, '.git');
  // The link lies where only git goes: outside of what is looked through.
  symlinkSync(join(workspace.outside, 'foreign/.git'), bytes(`${workspace.root}/evil\xff`));
  await using client = await workspace.connect();
  mkdirSync(join(git, 'objects/info'), { recursive: true });
  writeFileSync(join(git, 'objects/info/alternates'), bytes('../../evil\xff/objects\n'));
  expect(await workspace.say(client, 'git_show', { revision: secret })).toBe(
    'ERROR The repository borrows objects from a path that is not UTF-8',
  );
  rmSync(join(git, 'objects/info/alternates'));
  const foreign = bytes(`${workspace.outside}/foreign\xff`);
  renameSync(join(workspace.outside, 'foreign'), foreign);
  writeFileSync(join(git, 'commondir'), Buffer.concat([foreign, bytes('/.git\n')]));
  expect(await workspace.say(client, 'git_log')).toBe(
    'ERROR The path of the repository is not UTF-8 or contains a line break',
  );
});

test('G29 objects that are borrowed in circles are looked at once', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
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
  expect(await workspace.say(client, 'git_log', { repo_path: 'repo' })).toContain('first');
  writeFileSync(join(objects, 'info/alternates'), 'x\n'.repeat(40_000));
  expect(await workspace.say(client, 'git_log', { repo_path: 'repo' })).toBe(
    'ERROR Too large: "alternates" of the repository; at most 65536 bytes are read',
  );
});

test.each(['utf8', 'latin1'] as const)(
  'a directory that was replaced by a link out of the work tree is not read through, with a name in %s',
  async (encoding) => {
    using workspace = new Workspace({ 'a.txt': 'a\n', 'k\u00e9ys/id': 'x\n', 'deep/er/id': 'x\n' });
    const named = (name: string) => Buffer.from(join(workspace.root, name), encoding);
    if (encoding === 'latin1') {
      renameSync(join(workspace.root, 'k\u00e9ys'), named('k\u00e9ys'));
      workspace.commit('renamed');
    }
    mkdirSync(join(workspace.outside, 'keys/er'), { recursive: true });
    for (const path of ['keys/id', 'keys/er/id']) writeFileSync(join(workspace.outside, path), 'SECRET\n');
    for (const name of [named('k\u00e9ys'), named('deep')]) {
      rmSync(name, { recursive: true });
      symlinkSync(join(workspace.outside, 'keys'), name);
    }
    await using client = await workspace.connect();
    expect(await workspace.say(client, 'git_grep', { pattern: 'SECRET' })).toBe('Nothing matches');
    expect(await workspace.say(client, 'git_grep', { pattern: 'a' })).toBe('a.txt:1: a');
    expect(await workspace.say(client, 'git_grep', { pattern: 'x', revision: 'HEAD' })).toContain(
      'deep/er/id:1: x',
    );
    for (const path of ['k\u00e9ys/id', 'deep/er/id']) {
      expect(await workspace.say(client, 'git_blame', { path })).toMatch(/^ERROR Beyond a symbolic link/);
    }
    expect(await workspace.say(client, 'git_blame', { path: 'deep/er/id', revision: 'HEAD' })).toContain('x');
    expect(await workspace.say(client, 'git_blame', { path: 'a.txt' })).toContain('\ta');
  },
);

test('a configuration tells nothing of files outside', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const secret = join(workspace.outside, 'secret');
  writeFileSync(secret, 'SECRET\n');
  const far = join(workspace.allowed, 'far');
  workspace.gitIn(workspace.allowed, 'clone', '-q', '--bare', workspace.root, 'far');
  workspace.git('checkout', '-qb', 'other');
  workspace.commit('theirs', { 'b.txt': 'b\n' });
  workspace.git('push', '-q', far, 'other');
  workspace.git('checkout', '-q', 'main');
  workspace.commit('ours', { 'c.txt': 'c\n' });
  workspace.git('remote', 'add', 'origin', far);
  workspace.git('config', 'branch.main.mergeOptions', `-F ${secret}`);
  for (const side of ['fetch', 'receive']) {
    workspace.gitIn(side === 'fetch' ? workspace.root : far, 'config', `${side}.fsckObjects`, 'true');
    workspace.gitIn(side === 'fetch' ? workspace.root : far, 'config', `${side}.fsck.skipList`, secret);
  }
  workspace.git('branch', '-q', '-D', 'other');
  workspace.git('reflog', 'expire', '--expire=now', '--all');
  workspace.git('gc', '-q', '--prune=now');
  await using client = await workspace.connect({ allowRemote: true, directories: [workspace.allowed] });
  const say = (tool: string, args = {}) => workspace.say(client, tool, { repo_path: 'repo', ...args });
  expect(await say('git_fetch')).toBe('Fetched from "origin"');
  expect(await say('git_push')).toBe('Pushed main to origin/main');
  expect(await say('git_integrate', { action: 'merge', revision: 'origin/other' })).toContain('Done');
  expect(workspace.git('log', '--format=%B')).not.toContain('SECRET');
});

test('G31 does not find a repository above what was named', async () => {
  using workspace = new Workspace({ 'sub/a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [join(workspace.root, 'sub')] });
  expect(await workspace.say(client, 'git_log')).toBe('ERROR Not a git repository: "sub"');
});

test('G32 takes nothing of git from its environment', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const foreign = workspace.foreign();
  const environment = {
    GIT_DIR: `${foreign}/.git`,
    GIT_WORK_TREE: foreign,
    GIT_INDEX_FILE: `${foreign}/.git/index`,
    GIT_OBJECT_DIRECTORY: `${foreign}/.git/objects`,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: `${foreign}/.git/objects`,
    GIT_CONFIG_PARAMETERS: "'core.fsmonitor=false'",
    GIT_EXTERNAL_DIFF: workspace.program(),
    GIT_PAGER: workspace.program(),
  };
  for (const trust of [false, true]) {
    await using client = await workspace.connect({ environment, trust });
    expect(await workspace.say(client, 'git_log')).toContain('first');
    workspace.put('a.txt', 'changed\n');
    expect(await workspace.say(client, 'git_diff_unstaged')).toContain('+changed');
  }
  expect(workspace.run).toEqual([]);
});

test('G33 makes no repository outside', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  for (const path of ['../outside/new', '/', '~/.ssh', 'repo/.git/new', 'repo']) {
    expect(await workspace.say(client, 'git_init', { path }), path).toMatch(/^ERROR /);
  }
  expect(await workspace.say(client, 'git_init', { path: 'new', initial_branch: 'trunk' })).toBe(
    'Created a repository; its repo_path is "/allowed/new"',
  );
  expect(await workspace.say(client, 'git_status', { repo_path: 'new' })).toContain(
    'On trunk, no commit yet',
  );
});

test('makes a repository in a directory whose name begins as that of another', async () => {
  using workspace = new Workspace();
  mkdirSync(join(workspace.allowed, 'repo2'));
  await using client = await workspace.connect({
    directories: [workspace.root, join(workspace.allowed, 'repo2')],
  });
  expect(await workspace.say(client, 'git_init', { path: '../repo2/new' })).not.toMatch(/^ERROR/);
  expect(existsSync(join(workspace.allowed, 'repo2/new/.git'))).toBe(true);
});

test('G36 makes no work tree outside, nor where there is something', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  symlinkSync(workspace.outside, join(workspace.allowed, 'out'));
  await using client = await workspace.connect({ directories: [workspace.allowed] });
  const before = workspace.state;
  for (const path of ['../outside/tree', 'out/tree', '../tree', 'repo']) {
    const args = { repo_path: 'repo', action: 'add', path, branch: 'half-made' };
    expect(await workspace.say(client, 'git_worktree', args), path).toMatch(/^ERROR /);
  }
  const missing = {
    repo_path: 'repo',
    action: 'add',
    path: 'tree',
    branch: 'half-made',
    revision: 'nowhere',
  };
  expect(await workspace.say(client, 'git_worktree', missing)).toMatch(/^ERROR No such revision: "nowhere"/);
  expect(workspace.state).toBe(before);
});

test('G37 refuses a bare repository among the files of another', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  workspace.git('init', '-q', '--bare', 'hidden');
  workspace.gitIn(join(workspace.root, 'hidden'), 'config', 'core.fsmonitor', workspace.program());
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_status', { repo_path: 'hidden' })).toBe(
    'ERROR A bare repository must be named at the start with --repository',
  );
  await using named = await workspace.connect({ directories: [join(workspace.root, 'hidden')] });
  expect(await workspace.say(named, 'git_branch')).toBe('None');
  expect(workspace.run).toEqual([]);
});

const root = process.getuid?.() === 0;

test.skipIf(!root)('G38 refuses a repository of another user (only root can give one away)', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  chownSync(workspace.root, 12_345, 12_345);
  chownSync(join(workspace.root, '.git'), 12_345, 12_345);
  await using refused = await workspace.connect();
  expect(await workspace.say(refused, 'git_log')).toContain('ERROR The repository belongs to another user');
  appendFileSync(workspace.environment['GIT_CONFIG_GLOBAL']!, `[safe]\n\tdirectory = ${workspace.root}\n`);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'git_log')).toContain('first');
});

test('G39 without a repository there is no server', async () => {
  using workspace = new Workspace();
  expect(
    await problem(() => workspace.connect({ directories: [join(workspace.base, 'missing')] })),
  ).toContain('No such directory');
});

test('says which repository is meant when there are several', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const second = join(workspace.allowed, 'second');
  mkdirSync(second);
  workspace.gitIn(second, 'init', '-q');
  await using client = await workspace.connect({ directories: [workspace.root, second] });
  expect(await workspace.say(client, 'git_status')).toBe(
    'ERROR Several repositories; pass one of these as repo_path: "/allowed/repo", "/allowed/second"',
  );
  expect(await workspace.say(client, 'git_status', { repo_path: second })).toContain('no commit yet');
});

test.each([
  ['--apply', 'rebase-apply/apply-opt', (file: string) => ` '--build-fake-ancestor=${file}'\n`],
  ['--strategy=resolve', 'rebase-merge/strategy_opts', (file: string) => ` --index-output=${file}\n`],
])('a rebase that was left with %s writes no file outside', async (how, name, options) => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const file = join(workspace.outside, 'precious');
  const stop = () => {
    writeFileSync(file, 'precious\n');
    workspace.git('checkout', '-qfB', 'topic', 'main~1');
    workspace.commit('one', { 'a.txt': 'b\n' });
    workspace.commit('two', { 'b.txt': 'b\n' });
    expect(() => workspace.git('rebase', how, 'main')).toThrow();
  };
  workspace.commit('theirs', { 'a.txt': 'c\n' });
  stop();
  const given = join(workspace.root, '.git', name);
  writeFileSync(given, options(file));
  await using client = await workspace.connect();
  for (const action of ['skip', 'continue']) {
    expect(await workspace.say(client, 'git_integrate', { action })).toBe(
      'ERROR Refused: the remaining steps have options that name other files',
    );
  }
  expect(readFileSync(file, 'utf8')).toBe('precious\n');
  workspace.git('rebase', '--skip');
  expect(readFileSync(file, 'latin1'), 'plain git writes it').toContain('DIRC');
  stop();
  expect(await workspace.say(client, 'git_integrate', { action: 'skip' })).toContain('Done');
});

test('a submodule that links to a file outside tells nothing of it', async () => {
  using workspace = new Workspace({ 'a.txt': 'a\n' });
  const secret = join(workspace.outside, 'secret');
  writeFileSync(secret, 'first\nSECRET\n');
  const inner = join(workspace.root, 'sub/.git');
  for (const name of ['refs', 'objects']) mkdirSync(join(inner, name), { recursive: true });
  writeFileSync(join(inner, 'HEAD'), 'ref: refs/heads/main\n');
  symlinkSync(secret, join(inner, 'packed-refs'));
  const commit = workspace.git('rev-parse', 'HEAD');
  workspace.git('update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
  expect(() => workspace.git('status')).toThrow('SECRET');
  await using client = await workspace.connect();
  for (const [tool, args] of [
    ['git_status', {}],
    ['git_diff_unstaged', {}],
    ['git_diff', { target: 'HEAD' }],
    ['git_add', { files: ['sub'] }],
    ['git_stash', { action: 'save' }],
  ] as const) {
    expect(await workspace.say(client, tool, args), tool).toBe(
      'ERROR Git refused: the packed-refs of the repository, or of a submodule, cannot be read',
    );
  }
});

test.each(['index', 'packed-refs', 'info/attributes', 'COMMIT_EDITMSG'])(
  'a pipe in place of %s is refused, and not waited for',
  async (name) => {
    using workspace = new Workspace({ 'a.txt': 'a\n' });
    const path = join(workspace.root, '.git', name);
    await using client = await workspace.connect({ directories: [workspace.allowed] });
    rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    execFileSync('mkfifo', [path]);
    expect(
      await workspace.say(client, 'git_commit', {
        repo_path: workspace.root,
        message: 'm',
        allow_empty: true,
      }),
    ).toBe(`ERROR Not a regular file: "${name}" of the repository`);
  },
);
