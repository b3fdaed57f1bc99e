import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

/** Two branches that both change a.txt; `other` also adds a file. */
const diverged = new WorkspaceTemplate({ 'a.txt': 'base\n', 'kept.txt': 'kept\n' }, (workspace) =>
  workspace.diverge('other', { 'a.txt': 'theirs\n', 'added.txt': 'added\n' }, { 'c.txt': 'ours\n' }),
);

/** A git that does the first part of `command` as `stage` says, and then hangs until it is stopped. */
function hangingGit(workspace: Workspace, command: string, stage: string): string {
  return workspace.wrapGit(
    `if [ "$1" = ${command} ] && [ "$2" != --abort ] && [ "$2" != --quit ]; then
  ${stage}
  touch '${workspace.marks}/started'
  while :; do sleep 0.05; done
fi`,
  );
}

/** Cancels a call once git has started, and waits until the server has undone it. */
async function cancelled(workspace: Workspace, client: Client, args: Record<string, unknown>): Promise<void> {
  const stop = new AbortController();
  const started = workspace.started();
  const call = client.callTool('git_integrate', args, { signal: stop.signal });
  await started;
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  rmSync(join(workspace.marks, 'started'));
  // A write waits for the one before it.
  await client.callTool('git_create_branch', { branch_name: 'after' });
  await workspace.git.deleteLocalBranch('after', true);
}

test.each([
  ['with an incomplete state directory', 'mkdir .git/rebase-merge; "$git" checkout -q --detach other'],
  ['when the branch has moved and HEAD has not', '"$git" rebase -q other; "$git" checkout -q --detach'],
  [
    'when HEAD is detached and half of the files are written',
    'printf "theirs\\n" > a.txt; printf "added\\n" > added.txt; "$git" update-ref --no-deref HEAD "$("$git" rev-parse HEAD)"',
  ],
  ['in the middle of its commits', '"$git" rebase -q --exec false other || true'],
])('a rebase that is cancelled %s is undone', async (_when, stage) => {
  using workspace = await diverged.copy();
  const before = [await workspace.state(), await workspace.output(['symbolic-ref', 'HEAD'])];
  await using client = await workspace.connect({
    environment: { PATH: hangingGit(workspace, 'rebase', stage) },
  });
  await cancelled(workspace, client, { action: 'rebase', revision: 'other' });
  expect([await workspace.state(), await workspace.output(['symbolic-ref', 'HEAD'])]).toEqual(before);
  expect(existsSync(join(workspace.root, '.git/rebase-merge'))).toBe(false);
  expect(workspace.read('a.txt')).toBe('base\n');
});

test.each(['merge', 'cherry-pick', 'revert'])(
  'a %s that is cancelled with half of the files written is undone, and the user’s own changes are kept',
  async (action) => {
    using workspace = await diverged.copy();
    workspace.put('kept.txt', 'changed\n');
    workspace.put('own.txt', 'own\n');
    const before = [await workspace.state(), await workspace.output(['symbolic-ref', 'HEAD'])];
    const stage = 'printf "theirs\\n" > a.txt; printf "added\\n" > added.txt; rm c.txt';
    await using client = await workspace.connect({
      environment: { PATH: hangingGit(workspace, action, stage) },
    });
    await cancelled(workspace, client, { action, revision: 'other' });
    expect([await workspace.state(), await workspace.output(['symbolic-ref', 'HEAD'])]).toEqual(before);
    expect([workspace.read('kept.txt'), workspace.read('own.txt')]).toEqual(['changed\n', 'own\n']);
  },
);

test('a rebase whose state is incomplete can be aborted', async () => {
  using workspace = await diverged.copy();
  await using client = await workspace.connect();
  await workspace.git.checkout('--detach');
  process.getBuiltinModule('node:fs').mkdirSync(join(workspace.root, '.git/rebase-merge'));
  expect(await workspace.callText(client, 'git_integrate', { action: 'abort' })).toMatch(
    /^Done; HEAD is at [0-9a-f]{10}$/,
  );
  expect(existsSync(join(workspace.root, '.git/rebase-merge'))).toBe(false);
});
