import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkspaceTemplate, type Workspace } from './workspace.ts';

const template = new WorkspaceTemplate({ 'a.txt': 'a\n', 'b.txt': 'b\n' }, (workspace) =>
  workspace.commit('second', { 'a.txt': 'second\n' }),
);

const flags: Record<string, (workspace: Workspace) => Promise<unknown>> = {
  'assume-unchanged': ({ git }) => git.raw(['update-index', '--assume-unchanged', 'a.txt']),
  'skip-worktree': ({ git }) => git.raw(['update-index', '--skip-worktree', 'a.txt']),
  'core.ignoreStat': async ({ git, root }) => {
    await git.addConfig('core.ignoreStat', 'true');
    rmSync(join(root, 'a.txt'));
    await git.raw(['restore', 'a.txt']);
  },
};

const calls: readonly [tool: string, args: object][] = [
  ['git_restore', { paths: ['a.txt'] }],
  ['git_restore', { paths: ['.'] }],
  ['git_restore', { paths: ['a.txt'], source: 'HEAD~1' }],
  ['git_restore', { paths: ['.'], source: 'HEAD~1' }],
  ['git_reset', { mode: 'hard' }],
  ['git_reset', { mode: 'hard', revision: 'HEAD~1' }],
  ['git_stash', { action: 'save' }],
];

test.each(Object.keys(flags).flatMap((flag) => calls.map(([tool, args]) => [flag, tool, args] as const)))(
  'changes that %s hides are kept by %s %j',
  async (flag, tool, args) => {
    using workspace = await template.copy();
    await flags[flag]!(workspace);
    appendFileSync(join(workspace.root, 'a.txt'), 'mine\n');
    workspace.put('b.txt', 'changed\n');
    await using client = await workspace.connect();
    const answer = await workspace.callText(client, tool, { ...args });
    if (workspace.read('a.txt') === 'second\nmine\n') return;
    expect(answer).not.toMatch(/^(ERROR|Nothing)/);
    const [, commit = ''] = /(?:source|commit) ([0-9a-f]{10})/.exec(answer) ?? [];
    expect(await workspace.output(['show', `${commit}:a.txt`]), answer).toBe('second\nmine');
    if (tool !== 'git_restore') return;
    await workspace.callText(client, tool, { paths: ['a.txt'], source: commit });
    expect(workspace.read('a.txt')).toBe('second\nmine\n');
  },
);

test('git_stash refuses changes that it would lose, and names the file', async () => {
  using workspace = await template.copy();
  await flags['assume-unchanged']!(workspace);
  appendFileSync(join(workspace.root, 'a.txt'), 'mine\n');
  workspace.put('b.txt', 'changed\n');
  await using client = await workspace.connect();
  expect(await workspace.callText(client, 'git_stash', { action: 'save' })).toBe(
    'ERROR The stash would lose the changes of these files, which have the flag assume-unchanged: "a.txt"; run git update-index --no-assume-unchanged on them first',
  );
});

test.each(['assume-unchanged', 'skip-worktree'])(
  'a work tree with a change that %s hides is removed only with force, and the change is kept',
  async (flag) => {
    using workspace = await template.copy();
    const path = join(workspace.allowed, 'tree');
    await workspace.git.raw(['worktree', 'add', '-q', path, '-b', 'topic']);
    const git = workspace.gitAt(path);
    await git.raw(['update-index', `--${flag}`, 'a.txt']);
    await using client = await workspace.connect({ directories: [workspace.root, workspace.allowed] });
    appendFileSync(join(path, 'a.txt'), 'mine\n');
    const remove = (force: boolean) =>
      workspace.callText(client, 'git_worktree', {
        action: 'remove',
        path,
        force,
        repo_path: workspace.root,
      });
    expect(await remove(false)).toMatch(/^ERROR The work tree has changes that would be lost/);
    const answer = await remove(true);
    expect(existsSync(path), answer).toBe(false);
    const [, commit = ''] = /commit ([0-9a-f]{10})/.exec(answer) ?? [];
    expect(await workspace.output(['show', `${commit}:a.txt`]), answer).toBe('second\nmine');
  },
);
