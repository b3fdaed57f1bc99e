import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { Workspace, WorkspaceTemplate } from './workspace.ts';

/** The bytes, kinds and modes of all files below a directory, apart from the git directory. */
function filesOf(root: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (entry.isDirectory() || name === '.git' || name.startsWith('.git/')) continue;
    files[name] = entry.isSymbolicLink()
      ? `link ${readlinkSync(path)}`
      : `${(lstatSync(path).mode & 0o100).toString(8)} ${readFileSync(path).toString('hex')}`;
  }
  return files;
}

async function stateOf(workspace: Workspace, directory = workspace.root) {
  const args = ['status', '--porcelain=v2', '--branch'];
  return {
    files: filesOf(directory),
    // With the commit of HEAD, the hashes and modes of what has changed are those of the whole index.
    // A work tree that is brought back has its commit, and no branch.
    status: (await workspace.output(args, { directory })).replace(/^# branch\.head .*$/m, ''),
  };
}

const binary = Buffer.from([0, 255, 13, 10, 10, 13, 0]);

const changes: { readonly [what: string]: (workspace: Workspace) => unknown } = {
  'a changed file': (workspace) => workspace.put('a.txt', 'mine\n'),
  'a binary file': (workspace) => workspace.put('a.bin', Buffer.concat([binary, binary])),
  'line ends that attributes would convert': (workspace) => workspace.put('crlf.txt', 'a\r\nmine\nb\r\n'),
  'an executable file': (workspace) => chmodSync(join(workspace.root, 'a.txt'), 0o755),
  'a deleted file': (workspace) => rmSync(join(workspace.root, 'a.txt')),
  'a file that became a symlink': (workspace) => {
    rmSync(join(workspace.root, 'a.txt'));
    symlinkSync('/etc/passwd', join(workspace.root, 'a.txt'));
  },
  'a symlink with another target': (workspace) => {
    rmSync(join(workspace.root, 'link'));
    symlinkSync('elsewhere', join(workspace.root, 'link'));
  },
  'a file in place of a directory': (workspace) => {
    rmSync(join(workspace.root, 'dir'), { recursive: true });
    workspace.put('dir', 'file\n');
  },
  'a directory in place of a file': (workspace) => {
    rmSync(join(workspace.root, 'a.txt'));
    mkdirSync(join(workspace.root, 'a.txt'));
    workspace.put('a.txt/inside', 'x\n');
  },
  'a symlink in place of a directory': (workspace) => {
    rmSync(join(workspace.root, 'dir'), { recursive: true });
    symlinkSync('nowhere', join(workspace.root, 'dir'));
  },
  'staged, and changed again': async (workspace) => {
    workspace.put('a.txt', 'staged\n');
    await workspace.git.add('a.txt');
    workspace.put('a.txt', 'changed again\n');
  },
  'staged only': async (workspace) => {
    workspace.put('a.txt', 'staged\n');
    workspace.put('new.txt', 'new\n');
    await workspace.git.add(['a.txt', 'new.txt']);
  },
  'renamed, and changed': async (workspace) => {
    await workspace.git.mv('a.txt', 'renamed.txt');
    workspace.put('renamed.txt', 'renamed\n');
  },
  'deleted from the index, and there again': async (workspace) => {
    await workspace.git.rm('a.txt');
    workspace.put('a.txt', 'again\n');
  },
  'names that need care': async (workspace) => {
    for (const name of ['-x', 'ü "q".txt', 'line\nbreak', ' space ', ':(top)x', '*'])
      workspace.put(name, 'n\n');
    await workspace.git.raw(['--literal-pathspecs', 'add', '--', '.']);
    for (const name of ['-x', 'ü "q".txt', 'line\nbreak', ' space ', ':(top)x', '*'])
      workspace.put(name, 'm\n');
  },
};

const template = new WorkspaceTemplate(
  {
    'a.txt': 'a\n',
    'a.bin': binary,
    'crlf.txt': 'a\nb\n',
    'dir/x.txt': 'x\n',
    '.gitattributes': '*.txt text=auto eol=lf\n',
    '.gitignore': '*.ignored\n',
  },
  async (workspace) => {
    symlinkSync('a.txt', join(workspace.root, 'link'));
    await workspace.commit('a link');
    await workspace.commit('second', { 'second.txt': 'second\n' });
    // A commit must not need an identity.
    await workspace.git.addConfig('user.useConfigOnly', 'true');
  },
);
const create = () => template.copy();

/** Makes the calls that an answer names, in their order. */
async function undo(workspace: Workspace, client: Client, answer: string, paths: readonly string[]) {
  const [, advice = ''] = /; to undo: ([^;\n]*)/.exec(answer) ?? [];
  expect(advice, answer).not.toBe('');
  for (const each of advice.split(', then ')) {
    const [, tool = ''] = /^(git_\w+) /.exec(each) ?? [];
    const part = (pattern: RegExp) => pattern.exec(each)?.[1];
    const named = part(/ paths (.*)/);
    const source = part(/source ([^\s,]+)/);
    const args = {
      git_reset: { mode: part(/mode "(\w+)"/), revision: part(/revision (\w+)/) },
      git_stash: { action: 'apply', commit: part(/commit (\w+)/), repo_path: part(/repo_path "(.*)"/) },
      git_restore: {
        paths: each.endsWith(' and the same paths') ? paths : (named?.split(', ') ?? []).map(unquote),
        source,
        staged: / staged\b/.test(each),
      },
      git_worktree: { action: 'add', path: part(/path "(.*?)"/), revision: part(/revision "(.*?)"/) },
    }[tool];
    const text = await workspace.callText(client, tool, JSON.parse(JSON.stringify(args)) as object as never);
    expect(text, `${each}\n${JSON.stringify(args)}`).not.toMatch(/^ERROR/);
  }
}

function unquote(name: string): string {
  return name.startsWith('"') ? (JSON.parse(name) as string) : name;
}

test.each(Object.keys(changes))(
  'a hard reset that discards %s is undone by the calls that it names',
  async (what) => {
    for (const revision of [undefined, 'HEAD~1']) {
      using workspace = await create();
      await changes[what]!(workspace);
      const before = await stateOf(workspace);
      await using client = await workspace.connect();
      const answer = await workspace.callText(client, 'git_reset', {
        mode: 'hard',
        ...(revision && { revision }),
      });
      expect(await workspace.output(['status', '--porcelain', '-uno']), answer).toBe('');
      await workspace.output(['reflog', 'expire', '--expire=all', '--all']);
      // Deletes what gc deletes, and packs nothing.
      await workspace.output(['prune', '--expire=now']);
      if (revision) expect(answer).toMatch(/to undo: /);
      await undo(workspace, client, answer, []);
      expect(await stateOf(workspace)).toEqual(before);
    }
  },
);

test.each([
  'a changed file',
  'a binary file',
  'line ends that attributes would convert',
  'an executable file',
  'a file that became a symlink',
  'a symlink with another target',
  'staged, and changed again',
  'names that need care',
])('restoring files that discards %s is undone by the calls that it names', async (what) => {
  for (const source of [undefined, 'HEAD~1']) {
    using workspace = await create();
    await changes[what]!(workspace);
    if (source) workspace.put('elsewhere.txt', 'untracked\n');
    const before = await stateOf(workspace);
    await using client = await workspace.connect();
    const answer = await workspace.callText(client, 'git_restore', {
      paths: ['.'],
      ...(source && { source }),
    });
    expect(await stateOf(workspace), answer).not.toEqual(before);
    await undo(workspace, client, answer, ['.']);
    expect((await stateOf(workspace)).files['second.txt']).toBe(
      source ? undefined : before.files['second.txt'],
    );
    if (source) await workspace.git.raw(['restore', 'second.txt']);
    expect(await stateOf(workspace)).toEqual(before);
  }
});

test.each([
  { what: 'a file in place of a directory', paths: ['dir'] },
  { what: 'a file in place of a directory', paths: ['dir/x.txt'] },
  { what: 'a file in place of a directory', paths: ['.'] },
  { what: 'a symlink in place of a directory', paths: ['dir'] },
  { what: 'a directory in place of a file', paths: ['a.txt'] },
  { what: 'a directory in place of a file', paths: ['.'] },
])('restoring $paths over $what is undone by the calls that it names', async ({ what, paths }) => {
  for (const source of [undefined, 'HEAD']) {
    using workspace = await create();
    await changes[what]!(workspace);
    if (what === 'a directory in place of a file') workspace.put('a.txt/deep/log.ignored', 'ignored\n');
    const before = await stateOf(workspace);
    await using client = await workspace.connect();
    const answer = await workspace.callText(client, 'git_restore', { paths, ...(source && { source }) });
    expect(await workspace.output(['status', '--porcelain']), answer).toBe('');
    await undo(workspace, client, answer, paths);
    expect(await stateOf(workspace), answer).toEqual(before);
  }
});

test('an untracked file that a restored one replaces is brought back', async () => {
  using workspace = await create();
  await workspace.git.rm('second.txt');
  await workspace.git.commit('without it');
  workspace.put('second.txt', Buffer.from([1, 0, 2]));
  await using client = await workspace.connect();
  const before = await stateOf(workspace);
  const answer = await workspace.callText(client, 'git_restore', { paths: ['second.txt'], source: 'HEAD~1' });
  expect(workspace.read('second.txt')).toBe('second\n');
  await undo(workspace, client, answer, []);
  expect(await stateOf(workspace)).toEqual(before);
});

test.each([
  { tool: 'git_reset', args: {} },
  { tool: 'git_restore', args: { paths: ['.'], staged: true } },
  { tool: 'git_reset', args: { revision: 'HEAD~1' } },
])('staged content that is in no file is staged again after $tool of $args', async ({ tool, args }) => {
  using workspace = await create();
  await changes['staged, and changed again']!(workspace);
  await using client = await workspace.connect();
  const before = await stateOf(workspace);
  const answer = await workspace.callText(client, tool, { ...args });
  await undo(workspace, client, answer, []);
  expect(await stateOf(workspace)).toEqual(before);
});

const merging = async (workspace: Workspace) => {
  await workspace.diverge('other', { 'new.txt': 'theirs\n' }, { 'b.txt': 'ours\n' });
  await workspace.git.raw(['merge', '--no-commit', 'other']);
};

test.each([
  { why: 'the repository has no commit yet', tool: 'git_reset', args: {} },
  { why: 'a merge is in progress', tool: 'git_reset', args: {} },
  { why: 'a merge is in progress', tool: 'git_restore', args: { paths: ['a.txt'], staged: true } },
])('$tool of $args refuses to lose staged content if $why', async ({ why, tool, args }) => {
  const isMerge = why.includes('merge');
  using workspace = isMerge ? await create() : await Workspace.create({});
  if (isMerge) await merging(workspace);
  await changes['staged, and changed again']!(workspace);
  await using client = await workspace.connect();
  expect(await workspace.callText(client, tool, { ...args })).toBe(
    `ERROR Refused: this call cannot be undone, because ${why}; pass force to do it anyway`,
  );
  expect(await workspace.output(['show', ':a.txt'])).toBe('staged');
  expect(await workspace.callText(client, tool, { ...args, force: true })).not.toMatch(/^ERROR/);
});

test('the undo of unstaging brings back a staged removal and a file that is staged only', async () => {
  using workspace = await create();
  await changes['staged, and changed again']!(workspace);
  workspace.put('second.txt', 'staged\n');
  await workspace.git.add('second.txt');
  await workspace.git.raw(['rm', '--quiet', '--cached', 'a.bin']);
  await using client = await workspace.connect();
  const before = await stateOf(workspace);
  const paths = ['a.txt', 'a.bin', 'second.txt'];
  const answer = await workspace.callText(client, 'git_restore', { paths, staged: true });
  await undo(workspace, client, answer, paths);
  expect(await stateOf(workspace)).toEqual(before);
});

test('a stash with a file that was removed from the index only can be popped, or is refused', async () => {
  using workspace = await create();
  await workspace.git.raw(['rm', '--quiet', '--cached', 'a.bin']);
  await using client = await workspace.connect();
  const before = await stateOf(workspace);
  const stash = (args: object) => workspace.callText(client, 'git_stash', { ...args });
  expect(await stash({ action: 'save', include_untracked: true })).toBe(
    'ERROR Such a stash could not be applied, because these files are removed from the index, but exist: "a.bin"; move them away, or save without include_untracked',
  );
  expect(await stateOf(workspace)).toEqual(before);
  await stash({ action: 'save' });
  expect(await stash({ action: 'pop' })).toMatch(/^Applied;/);
  expect(await stateOf(workspace)).toEqual(before);
});

test.each(Object.keys(changes))('a removed work tree with %s is brought back', async (what) => {
  using workspace = await create();
  const tree = join(workspace.allowed, 'tree');
  await workspace.git.raw(['worktree', 'add', '-q', tree, '-b', 'topic']);
  const own = Object.create(workspace, {
    root: { value: tree },
    git: { get: () => workspace.gitAt(tree) },
  }) as Workspace;
  await changes[what]!(own);
  own.put('untracked.bin', binary);
  const before = await stateOf(workspace, tree);
  await using client = await workspace.connect({ directories: [workspace.root, workspace.allowed] });
  const answer = await client.callTool('git_worktree', {
    action: 'remove',
    path: tree,
    force: true,
    repo_path: workspace.root,
  });
  const text = answer.content.map((each) => ('text' in each ? each.text : '')).join('\n');
  expect(readdirSync(workspace.allowed)).toEqual(['repo']);
  await undo(workspace, client, text, []);
  expect(await stateOf(workspace, tree)).toEqual(before);
});

test.each([
  {
    what: 'before the first commit',
    prepare: async (workspace: Workspace) => {
      workspace.put('a.txt', 'a\n');
      await workspace.git.add('a.txt');
      workspace.put('a.txt', 'b\n');
    },
    files: {},
    why: 'the repository has no commit yet',
  },
  {
    what: 'with a conflict',
    prepare: async (workspace: Workspace) => {
      await workspace.diverge('other', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
      await workspace.git.merge(['other']).catch(() => {});
      workspace.put('a.txt', 'resolved\n');
    },
    files: { 'a.txt': 'a\n' },
    why: '"a.txt" is in conflict',
  },
  {
    what: 'in a merge whose conflict is resolved',
    prepare: async (workspace: Workspace) => {
      await workspace.diverge('other', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
      await workspace.git.merge(['other']).catch(() => {});
      workspace.put('a.txt', 'resolved\n');
      await workspace.git.add('a.txt');
    },
    files: { 'a.txt': 'a\n' },
    why: 'a merge is in progress',
  },
])('$what, a hard reset says before that it cannot be undone', async ({ prepare, files, why }) => {
  using workspace = await Workspace.create(files);
  await prepare(workspace);
  const before = await workspace.output(['ls-files', '--stage']);
  await using silent = await workspace.connect();
  expect(await workspace.callText(silent, 'git_reset', { mode: 'hard' })).toBe(
    `ERROR Refused: this call cannot be undone, because ${why}; pass force to do it anyway`,
  );
  expect(await workspace.output(['ls-files', '--stage'])).toBe(before);
  const questions: string[] = [];
  await using asking = await workspace.connect({
    elicit: async ({ message }: { message: string }) => {
      questions.push(message);
      return { action: 'decline' as const };
    },
  });
  expect(await workspace.callText(asking, 'git_reset', { mode: 'hard', force: true })).toBe(
    'ERROR Not done: the user declined',
  );
  expect(questions).toEqual([expect.stringContaining(`This cannot be undone: ${why}.`)]);
  expect(await workspace.output(['ls-files', '--stage'])).toBe(before);
  expect(await workspace.callText(silent, 'git_reset', { mode: 'hard', force: true })).not.toMatch(/^ERROR/);
});

test('kept work is bounded in number and time, and nothing else of the refs is touched', async () => {
  using workspace = await create();
  const head = await workspace.git.revparse('HEAD');
  const name = (year: number, at: number) =>
    `refs/kept-work/${year}0101T0000${String(at).padStart(2, '0')}Z-${head.slice(0, 10)}`;
  const old = Array.from({ length: 3 }, (_, at) => name(2020, at));
  const future = Array.from({ length: 60 }, (_, at) => [name(2098, at), name(2099, at)]).flat();
  const other = 'refs/kept-work/not-ours';
  const refs = [...old, ...future, other].map((ref) => `update ${ref} ${head}\n`).join('');
  await workspace.output(['update-ref', '--stdin'], { input: refs });
  workspace.put('a.txt', 'mine\n');
  await using client = await workspace.connect();
  await workspace.callText(client, 'git_reset', { mode: 'hard' });
  const left = (await workspace.output(['for-each-ref', '--format=%(refname)', 'refs/kept-work'])).split(
    '\n',
  );
  expect(left).toContain(other);
  expect(left.filter((ref) => old.includes(ref))).toEqual([]);
  expect(left).toHaveLength(101);
  expect(readdirSync(join(workspace.root, '.git')).filter((each) => each.includes('.index'))).toEqual([]);
});

test.each([false, true])(
  'a resolution that an abort discards is brought back from where the answer says; staged: %s',
  async (isStaged) => {
    using workspace = await create();
    await workspace.diverge('other', { 'a.txt': 'theirs\n' }, { 'a.txt': 'ours\n' });
    await workspace.git.merge(['other']).catch(() => {});
    workspace.put('a.txt', 'resolved\r\n');
    if (isStaged) await workspace.git.add('a.txt');
    await using client = await workspace.connect();
    const answer = await workspace.callText(client, 'git_integrate', { action: 'abort' });
    expect(workspace.read('a.txt')).toBe('ours\n');
    const advice = /^Done; .*; to bring back the resolutions: git_restore with source (\w+) and paths (\S+)$/;
    const [, source, path] = advice.exec(answer) ?? [];
    expect(path, answer).toBe('a.txt');
    await workspace.callText(client, 'git_restore', { paths: [path], source });
    expect(workspace.read('a.txt')).toBe('resolved\r\n');
  },
);

test.each(['drop', 'pop'])(
  'a stash that %s removes is saved again after gc, with all its files',
  async (action) => {
    using workspace = await create();
    workspace.put('a.txt', 'staged\n');
    await workspace.git.add('a.txt');
    workspace.put('crlf.txt', 'a\r\nmine\nb\r\n');
    workspace.put('new.txt', 'new\n');
    await workspace.git.stash(['push', '--quiet', '--include-untracked', '--message', 'work']);
    const listed = await workspace.output(['stash', 'list', '--format=%H %gs']);
    await using client = await workspace.connect();
    const answer = await workspace.callText(client, 'git_stash', { action });
    const [, commit] = /"save" with commit (\w+) puts/.exec(answer) ?? [];
    await workspace.output(['reset', '--quiet', '--hard']);
    await workspace.output(['clean', '--quiet', '--force', '-d']);
    await workspace.output(['reflog', 'expire', '--expire=all', '--all']);
    await workspace.output(['gc', '--quiet', '--prune=now']);
    await workspace.callText(client, 'git_stash', { action: 'save', commit });
    expect(await workspace.output(['stash', 'list', '--format=%H %gs'])).toBe(listed);
    await workspace.callText(client, 'git_stash', { action: 'apply' });
    expect(workspace.read('new.txt')).toBe('new\n');
    expect(await workspace.output(['show', ':a.txt'])).toBe('staged');
  },
);

test('a deleted annotated tag is created again after gc, and a refused pop keeps nothing', async () => {
  using workspace = await create();
  await workspace.git.addAnnotatedTag('v1', 'the message');
  const tag = await workspace.git.revparse('v1');
  await using client = await workspace.connect();
  const answer = await workspace.callText(client, 'git_tag', { action: 'delete', name: 'v1' });
  const [, revision] = /at revision (\w+) restores/.exec(answer) ?? [];
  await workspace.output(['gc', '--quiet', '--prune=now']);
  await workspace.callText(client, 'git_tag', { action: 'create', name: 'v1', revision });
  expect(await workspace.git.revparse('v1')).toBe(tag);
  workspace.put('a.txt', 'stashed\n');
  await workspace.git.stash();
  await workspace.commit('meanwhile', { 'a.txt': 'other\n' });
  const before = await workspace.output(['for-each-ref']);
  for (const content of ['other\n', 'dirty\n']) {
    workspace.put('a.txt', content);
    await workspace.callText(client, 'git_stash', { action: 'pop' });
    expect(await workspace.output(['for-each-ref'])).toBe(before);
    await workspace.git.reset(['--hard']);
  }
});
