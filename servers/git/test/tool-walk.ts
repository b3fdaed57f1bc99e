import { mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

const template = new WorkspaceTemplate({ 'a.txt': 'one\n', 'b.txt': 'b\n' }, async (workspace) => {
  await workspace.commit('second', { 'a.txt': 'one\ntwo\n' });
  await workspace.git.checkoutBranch('other', 'HEAD~1');
  await workspace.commit('on other', { 'a.txt': 'zero\none\n', 'c.txt': 'c\n' });
  await workspace.git.checkout('main');
});

/** A repository in which every tool has work to do. */
export const prepared = () => template.copy();

/** Calls of every tool, in an order in which each has an effect. */
export const walk: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['git_status', {}],
  ['git_diff_unstaged', {}],
  ['git_diff_staged', {}],
  ['git_diff', { target: 'HEAD~1' }],
  ['git_log', {}],
  ['git_log', { path: 'a.txt', author: 'Ada', grep: 'second' }],
  ['git_log', { changed_text: 'two' }],
  ['git_show', { revision: 'HEAD' }],
  ['git_show', { revision: '1234567890123456789012345678901234567890' }],
  ['git_branch', { branch_type: 'all' }],
  ['git_branch', { branch_type: 'tags' }],
  ['git_blame', { path: 'a.txt' }],
  ['git_grep', { pattern: 'one' }],
  ['git_grep', { pattern: 'one', revision: 'HEAD' }],
  ['git_read_file', { path: 'a.txt' }],
  ['git_stash', { action: 'list' }],
  ['git_worktree', { action: 'list' }],
  ['git_add', { files: ['a.txt'] }],
  ['git_diff_staged', {}],
  ['git_reset', {}],
  ['git_stash', { action: 'save', message: 'aside' }],
  ['git_stash', { action: 'pop' }],
  ['git_add', { files: ['.'] }],
  ['git_commit', { message: 'mine', author: 'Eve <eve@example.com>' }],
  ['git_commit', { message: 'mine again', amend: true, allow_empty: true }],
  ['git_create_branch', { branch_name: 'topic' }],
  ['git_checkout', { branch_name: 'topic' }],
  ['git_integrate', { action: 'merge', revision: 'other' }],
  ['git_restore', { paths: ['a.txt'], source: 'HEAD' }],
  ['git_integrate', { action: 'abort' }],
  ['git_integrate', { action: 'cherry-pick', revision: 'other' }],
  ['git_integrate', { action: 'abort' }],
  ['git_integrate', { action: 'revert', revision: 'HEAD' }],
  ['git_integrate', { action: 'abort' }],
  ['git_integrate', { action: 'rebase', revision: 'other' }],
  ['git_add', { files: ['a.txt'] }],
  ['git_integrate', { action: 'continue' }],
  ['git_integrate', { action: 'abort' }],
  ['git_checkout', { branch_name: 'main' }],
  ['git_checkout', { branch_name: 'HEAD~1' }],
  ['git_restore', { paths: ['a.txt'], source: 'main' }],
  ['git_reset', { mode: 'hard' }],
  ['git_tag', { action: 'create', name: 'v1', message: 'one' }],
  ['git_tag', { action: 'delete', name: 'v1' }],
  ['git_worktree', { action: 'add', path: 'tree', branch: 'in-tree' }],
  ['git_worktree', { action: 'remove', path: 'tree', force: true }],
  ['git_delete_branch', { branch_name: 'topic', force: true }],
];

/** Tools that create a repository or connect to a remote. */
export const walkOutside: typeof walk = [
  ['git_init', { path: 'new' }],
  ['git_clone', { url: 'https://git.example/x.git', path: 'new' }],
  ['git_fetch', {}],
  ['git_pull', {}],
  ['git_push', {}],
];

/** What has nothing to do or to find in some of the repositories. */
export function mayFail(tool: string, { revision }: Record<string, unknown>): boolean {
  return tool === 'git_integrate' || tool === 'git_stash' || String(revision).startsWith('1234');
}

/** Makes every file look changed, so that git has to read it to know better. */
export function age({ root }: Workspace): void {
  const then = new Date('2001-02-03T04:05:06Z');
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(root, entry.name), then, then);
  }
}

/** Forgets what was run while the trap was set. */
export function clear(workspace: Workspace): void {
  rmSync(workspace.marks, { recursive: true });
  mkdirSync(workspace.marks);
}
