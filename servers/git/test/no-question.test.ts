import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

/** A client whose user refuses every question. */
function connectRefusing(workspace: Workspace) {
  return workspace.connect({
    directories: [workspace.root, workspace.allowed],
    elicit: () => Promise.resolve({ action: 'decline' as const }),
  });
}

async function call(workspace: Workspace, tool: string, args: Record<string, unknown>): Promise<string> {
  await using client = await connectRefusing(workspace);
  return await workspace.callText(client, tool, { repo_path: workspace.root, ...args });
}

const declined = 'ERROR Not done: the user declined';

test('git_tag deletes a tag of a commit that is kept elsewhere without a question, and it can be restored', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addTag('v1');
  const commit = await workspace.git.revparse(['--short=10', 'HEAD']);
  expect(await call(workspace, 'git_tag', { action: 'delete', name: 'v1' })).toBe(
    `Deleted tag "v1"; creating it at revision ${commit} restores it`,
  );
  await workspace.git.addTag('v1/beta');
  expect(await call(workspace, 'git_tag', { action: 'delete', name: 'v1' })).toMatch(
    /^ERROR No such tag: "v1"/,
  );
  await workspace.git.raw(['update-ref', 'refs/tags/only', await orphan(workspace)]);
  expect(await call(workspace, 'git_tag', { action: 'delete', name: 'only' })).toBe(declined);
});

test('an annotated tag is restored with its message from the hash of the answer', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.git.addAnnotatedTag('v1', 'the message');
  const tag = await workspace.git.revparse('v1');
  await using client = await workspace.connect();
  const text = await workspace.callText(client, 'git_tag', { action: 'delete', name: 'v1' });
  const [, revision] = /at revision (\w+) restores/.exec(text) ?? [];
  await workspace.callText(client, 'git_tag', { action: 'create', name: 'v1', revision });
  expect(await workspace.git.revparse('v1')).toBe(tag);
});

/** A commit without parents that no ref has. */
function orphan(workspace: Workspace): Promise<string> {
  return workspace.output(['commit-tree', '-m', 'elsewhere', 'HEAD^{tree}']);
}

test('git_stash applies a dropped stash by the commit of the answer', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  workspace.put('a.txt', 'changed\n');
  await workspace.git.stash();
  await using client = await workspace.connect();
  const stash = (args: object) => workspace.callText(client, 'git_stash', { ...args });
  const [, commit] = /"save" with commit (\w+) puts/.exec(await stash({ action: 'drop' })) ?? [];
  expect(await stash({ action: 'pop', commit })).toBe(
    'ERROR Invalid commit: pop takes no commit; expected the action apply or save',
  );
  expect(await stash({ action: 'apply', commit: '--index' })).toMatch(/^ERROR Invalid revision/);
  expect(await stash({ action: 'apply', commit: 'HEAD' })).toMatch(/^ERROR No such stash: HEAD/);
  expect(await stash({ action: 'apply', commit })).toMatch(
    /^Applied; main is at [0-9a-f]{10}; 1 not staged\nNo stashes$/,
  );
  expect(workspace.read('a.txt')).toBe('changed\n');
});

/** A repository that has stopped at a conflict in a.txt, with a file that only `other` has. */
async function stopped(command: readonly string[]): Promise<Workspace> {
  const workspace = await Workspace.create({ 'a.txt': 'base\n', 'gone.txt': 'base\n' });
  await workspace.diverge(
    'other',
    { 'a.txt': 'theirs\n', 'gone.txt': 'x\n', 'b.txt': 'b\n' },
    { 'a.txt': 'ours\n' },
  );
  await workspace.git.rm('gone.txt');
  await workspace.git.commit('gone');
  await expect(workspace.git.raw([...command])).rejects.toThrow();
  return workspace;
}

test.each([
  ['merge', 'other', 'abort'],
  ['rebase', 'other', 'abort'],
  ['rebase', 'other', 'skip'],
  ['cherry-pick', 'other', 'skip'],
  ['cherry-pick', 'other', 'abort'],
  ['revert', 'other', 'abort'],
])(
  'a %s of %s without a resolved conflict takes %s without a question',
  async (command, revision, action) => {
    using workspace = await stopped([command, revision]);
    expect(await call(workspace, 'git_integrate', { action })).not.toBe(declined);
  },
);

test.each([
  ['resolved in the file', (workspace: Workspace) => workspace.put('a.txt', 'resolved\n')],
  ['resolved by deletion', (workspace: Workspace) => workspace.git.rm(['--force', 'a.txt'])],
  [
    'staged, and then marked as in conflict again',
    async (workspace: Workspace) => {
      const marked = workspace.read('a.txt');
      workspace.put('a.txt', 'resolved\n');
      await workspace.git.add('a.txt');
      workspace.put('a.txt', marked);
    },
  ],
  ['beside a changed file', (workspace: Workspace) => workspace.put('b.txt', 'mine\n')],
])('a merge with a conflict that is %s is aborted only after a question', async (_what, resolve) => {
  using workspace = await stopped(['merge', 'other']);
  await resolve(workspace);
  const before = await workspace.state();
  expect(await call(workspace, 'git_integrate', { action: 'abort' })).toBe(declined);
  expect(await workspace.state()).toBe(before);
});

test.each([
  ['is empty', ''],
  ['names a missing object', `${'1'.repeat(40)}\n`],
])('a merge is aborted where AUTO_MERGE %s', async (_what, content) => {
  using workspace = await stopped(['merge', 'other']);
  workspace.put('.git/AUTO_MERGE', content);
  const head = await workspace.git.revparse('HEAD');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_integrate', { action: 'abort' })).toMatch(
    new RegExp(
      `^Done; main is at ${head.slice(0, 10)}; to bring back the resolutions: git_restore with source .*$`,
    ),
  );
  expect(await workspace.output(['status', '--porcelain'])).toBe('');
});

test('git_worktree removes an unchanged work tree without a question, and one with lost commits with a question', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  const tree = join(workspace.allowed, 'tree');
  await workspace.git.raw(['worktree', 'add', '-q', tree, '-b', 'topic']);
  const remove = (args: object = {}) =>
    call(workspace, 'git_worktree', { action: 'remove', path: tree, ...args });
  writeFileSync(join(tree, 'a.txt'), 'b\n');
  expect(await remove()).toMatch(/^ERROR The work tree has changes that would be lost/);
  expect(await remove({ force: true })).toBe(declined);
  await workspace.gitAt(tree).raw(['checkout', '-q', '--', 'a.txt']);
  expect(await remove()).toMatch(/\n1 work tree$/);
  expect(existsSync(tree)).toBe(false);

  await workspace.git.raw(['worktree', 'add', '-q', '--detach', tree]);
  await workspace.gitAt(tree).raw(['commit', '-q', '--allow-empty', '-m', 'only in this work tree']);
  expect(await remove()).toBe(declined);
  await workspace.gitAt(tree).raw(['branch', 'kept']);
  expect(await remove()).toMatch(/\n1 work tree$/);
});

test('git_integrate, git_commit and git_reset say where HEAD was, so that they can be undone', async () => {
  using workspace = await Workspace.create({ 'a.txt': 'a\n' });
  await workspace.diverge('other', { 'b.txt': 'b\n' }, { 'c.txt': 'c\n' });
  const head = await workspace.git.revparse('HEAD');
  const short = head.slice(0, 10);
  await using client = await workspace.connect();
  const tool = (name: string, args: object) => workspace.callText(client, name, { ...args });
  expect(await tool('git_integrate', { action: 'rebase', revision: 'other' })).toMatch(
    new RegExp(`^Done; main is at \\w+; to undo: git_reset with mode "keep" and revision ${short}$`),
  );
  await tool('git_reset', { mode: 'hard', revision: short });
  expect(await workspace.git.revparse('HEAD')).toBe(head);
  expect(await tool('git_commit', { message: 'again', amend: true })).toContain(
    `to undo: git_reset with mode "soft" and revision ${short}`,
  );
  const amended = await workspace.git.revparse('HEAD');
  expect(await tool('git_reset', { mode: 'soft', revision: short })).toBe(
    `main is at ${short}, was ${amended.slice(0, 10)}; clean`,
  );
  expect(await tool('git_reset', { mode: 'hard' })).toMatch(/^main is at \w+; clean$/);
});
