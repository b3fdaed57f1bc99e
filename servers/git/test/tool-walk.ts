import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type Workspace, WorkspaceTemplate } from './workspace.ts';

const template = new WorkspaceTemplate({ 'a.txt': 'one\n', 'b.txt': 'b\n' }, async (workspace) => {
  await workspace.commit('second', { 'a.txt': 'one\ntwo\n' });
  await workspace.git.checkoutBranch('other', 'HEAD~1');
  await workspace.commit('on other', { 'a.txt': 'zero\n', 'c.txt': 'c\n' });
  await workspace.git.checkout('main');
});

/** A repository in which every tool has work to do. */
export const prepared = () => template.copy();

/** From the diff of a.txt in a walk, which stages its third line. */
const index = ['one\ntwo\n', 'one\ntwo\nthree\n'].map(blobHash).join('..');

function blobHash(text: string): string {
  return createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
}

const some = { paths: ['a.txt'], context_lines: 0 };

type Walk = readonly (readonly [tool: string, args: Record<string, unknown>])[];

const commitAll: Walk[number] = [
  'git_commit',
  { message: 'mine', author: 'Eve <eve@example.com>', files: ['.'], allow_empty: true },
];

/** Calls that read, stage, stash and commit. */
const firstCalls: Walk = [
  ['git_status', {}],
  ['git_diff_unstaged', {}],
  ['git_diff_staged', {}],
  ['git_diff', { target: 'HEAD~1' }],
  ['git_diff', { target: 'HEAD~1..HEAD', ...some, stat: true }],
  ['git_log', {}],
  ['git_log', { path: 'a.txt', author: 'Ada', grep: 'second', revision: 'HEAD', max_count: 5, full: true }],
  ['git_log', { changed_text: 'two', start_timestamp: '2020-01-01', end_timestamp: 'now', all: true }],
  ['git_log', { changed_regexp: 'tw+o' }],
  ['git_log', { path: 'a.txt', lines: '1-2', patch: true }],
  ['git_log', { path: 'a.txt', function: 'one' }],
  ['git_log', { path: 'a.txt', follow: true, patch: true }],
  ['git_log', { stat: true }],
  ['git_log', { reflog: true }],
  ['git_show', { revision: 'HEAD' }],
  ['git_show', { revision: 'HEAD', stat: true }],
  ['git_show', { revision: 'HEAD', paths: ['a.txt'] }],
  ['git_show', { revision: '1234567890123456789012345678901234567890' }],
  ['git_branch', { branch_type: 'all', contains: 'HEAD~1', not_contains: 'other' }],
  ['git_branch', { merged: 'HEAD', not_merged: 'other' }],
  ['git_branch', { branch_type: 'tags' }],
  ['git_blame', { path: 'a.txt' }],
  ['git_blame', { path: 'a.txt', revision: 'HEAD', start_line: 1, end_line: 1, text: true }],
  ['git_blame', { path: 'a.txt', function: 'one' }],
  ['git_grep', { pattern: 'one' }],
  ['git_grep', { pattern: 'ONE', revision: 'HEAD', paths: ['a.txt'], ignore_case: true, regexp: true }],
  ['git_read_file', { path: 'a.txt' }],
  ['git_read_file', { path: 'a.txt', revision: 'HEAD~1', start_line: 1 }],
  ['git_stash', { action: 'list' }],
  ['git_range_diff', { before: 'other', after: 'main', base: 'main~1' }],
  ['git_range_diff', { before: 'other', stat: true }],
  ['git_shortlog', { path: 'a.txt', revision: 'HEAD', start_timestamp: '2020-01-01', end_timestamp: 'now' }],
  ['git_worktree', { action: 'list' }],
  ['git_submodule', { action: 'update' }],
  ['git_submodule', { path: 'a.txt' }],
  ['git_add', { files: ['a.txt'], lines: ['+3'], index }],
  ['git_diff_staged', { ...some, stat: true }],
  ['git_diff_unstaged', { ...some, stat: true }],
  ['git_restore', { paths: ['a.txt'], staged: true }],
  ['git_add', { files: ['b.txt'], untrack: true }],
  ['git_reset', {}],
  ['git_stash', { action: 'save', message: 'aside', include_untracked: true }],
  ['git_stash', { action: 'apply', commit: 'stash@{0}' }],
  ['git_reset', { mode: 'hard' }],
  ['git_stash', { action: 'show', index: 0 }],
  ['git_stash', { action: 'pop', index: 0 }],
  ['git_commit', { message: 'lines', files: ['a.txt'], lines: ['+3'], index }],
  commitAll,
  ['git_commit', { message: 'mine again', amend: true, allow_empty: true }],
  ['git_commit', { message: 'mine at last', squash: 'HEAD~2', all: true }],
  ['git_commit', { message: 'another first', reword: 'HEAD~1' }],
  ['git_commit', { message: 'the first again', fixup: 'HEAD~1' }],
];

/** Calls that move branches and HEAD; they need a commit of the changes. */
const branchCalls: Walk = [
  ['git_create_branch', { branch_name: 'tpoic', base_branch: 'HEAD~1', checkout: true }],
  ['git_checkout', { branch_name: 'main' }],
  ['git_create_branch', { branch_name: 'tpoic', base_branch: 'main', move: true }],
  ['git_create_branch', { branch_name: 'topic', rename: 'tpoic', upstream: 'main' }],
  ['git_checkout', { branch_name: 'topic' }],
  ['git_integrate', { action: 'merge', revision: 'other', fast_forward: 'never' }],
  ['git_restore', { paths: ['a.txt'], side: 'theirs' }],
  ['git_restore', { paths: ['a.txt'], source: 'HEAD' }],
  ['git_integrate', { action: 'abort' }],
  ['git_integrate', { action: 'merge', revision: 'other', squash: true }],
  ['git_reset', { mode: 'hard', force: true }],
  ['git_integrate', { action: 'cherry-pick', revision: ['other', 'HEAD'] }],
  ['git_integrate', { action: 'abort' }],
  ['git_integrate', { action: 'revert', revision: 'HEAD', mainline: 1 }],
  ['git_integrate', { action: 'revert', revision: 'HEAD~1..HEAD' }],
  ['git_integrate', { action: 'abort' }],
  ['git_integrate', { action: 'rebase', revision: 'HEAD~1', onto: 'other' }],
  ['git_add', { files: ['a.txt'] }],
  ['git_integrate', { action: 'continue' }],
  ['git_integrate', { action: 'abort' }],
  ['git_checkout', { branch_name: 'main' }],
  ['git_checkout', { branch_name: 'HEAD~1' }],
  ['git_restore', { paths: ['a.txt'], source: 'main', force: true }],
  ['git_reset', { mode: 'hard', revision: 'HEAD' }],
  ['git_bisect', { action: 'start', good: 'HEAD~1', bad: 'HEAD' }],
  ['git_bisect', { action: 'log' }],
  ['git_bisect', { action: 'skip', revision: 'HEAD' }],
  ['git_bisect', { action: 'reset' }],
  ['git_bisect', { action: 'start', good: 'HEAD~1', paths: ['.'] }],
  ['git_tag', { action: 'create', name: 'v1', message: 'one', revision: 'HEAD~1' }],
  ['git_tag', { action: 'delete', name: 'v1' }],
  ['git_worktree', { action: 'add', path: 'tree', branch: 'in-tree', revision: 'HEAD~1' }],
  ['git_worktree', { action: 'move', path: 'tree', to: 'moved' }],
  ['git_worktree', { action: 'remove', path: 'moved', force: true }],
  ['git_delete_branch', { branch_name: 'topic', force: true }],
  ['git_delete_branch', { merged: true }],
];

/** Calls of every tool with every argument, in an order in which each has an effect. */
export const walk: Walk = [...firstCalls, ...branchCalls];

/** The same calls in two halves, each for a newly prepared repository. */
export const halvesOfWalk: readonly Walk[] = [firstCalls, [commitAll, ...branchCalls]];

/** Tools that create a repository or connect to a remote. */
export const walkOutside: Walk = [
  ['git_init', { path: 'new', initial_branch: 'main' }],
  ['git_clone', { url: 'https://git.example/x.git', path: 'new', branch: 'main', depth: 1 }],
  ['git_remote', { action: 'add', name: 'x', url: 'https://git.example/x.git' }],
  ['git_remote', { action: 'rename', name: 'x', to: 'origin' }],
  ['git_fetch', { remote: 'origin', branch: 'main', prune: true, tags: true }],
  ['git_pull', { remote: 'origin', branch: 'main', how: 'rebase' }],
  ['git_push', { remote: 'origin', branch: 'main', to: 'x', force: true, set_upstream: true, tags: true }],
  ['git_push', { remote: 'origin', branch: 'x', delete: true }],
];

/** Calls that have nothing to do or to find in some of the repositories. */
export function mayFail(tool: string, { revision, paths }: Record<string, unknown>): boolean {
  // The last commit may change no file.
  if (tool === 'git_bisect' && paths !== undefined) return true;
  // A diff driver that does not run is refused by the range-diff, which cannot leave it out.
  return /^git_(integrate|stash|range_diff|submodule)$/.test(tool) || String(revision).startsWith('1234');
}

/** Makes every file look changed, so that git has to read it to know better. */
export function age({ root }: Workspace): void {
  const then = new Date('2001-02-03T04:05:06Z');
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(root, entry.name), then, then);
  }
}

/** Forgets the commands that ran while the trap was set. */
export function clear(workspace: Workspace): void {
  rmSync(workspace.marks, { recursive: true });
  mkdirSync(workspace.marks);
}
