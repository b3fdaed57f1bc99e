import { noResult, type Command, type Refusal } from '../command.ts';
import { quoted } from '../display-name.ts';

export function branchExists(name: string): Command<boolean> {
  return {
    args: ['show-ref', '--verify', '--quiet', `refs/heads/${name}`],
    accept: [1],
    parse: ({ code }) => code === 0,
  };
}

/** Creates a branch; HEAD does not move. */
export function createBranch(name: string, base?: string): Command<void> {
  return {
    kind: 'write',
    args: ['branch', '--no-track', name, ...(base === undefined ? [] : [base])],
    refusals: [
      [/already exists/, `The branch already exists: ${quoted(name)}`],
      [/not a valid object name/i, `No such revision: ${quoted(base ?? 'HEAD')}`],
    ],
    parse: noResult,
  };
}

/** Deletes a branch; without `force`, only one that is merged into HEAD or its upstream. */
export function deleteBranch(name: string, force: boolean): Command<void> {
  return {
    kind: 'write',
    args: ['branch', '--delete', '--quiet', ...(force ? ['--force'] : []), name],
    refusals: [
      [
        /not fully merged/,
        `The branch is not fully merged: ${quoted(name)}; force deletes it and its commits`,
      ],
      [/checked out at|used by worktree/, `The branch is checked out: ${quoted(name)}`],
      [/not found/, `No such branch: ${quoted(name)}`],
    ],
    parse: noResult,
  };
}

/** Refusals of commands that change the work tree while it has changes or conflicts. */
export const dirtyWorktreeRefusals: readonly Refusal[] = [
  [/would be overwritten by/, 'Local changes would be overwritten: commit, stash or restore them first'],
  [
    /you need to resolve your current index first|unmerged|needs merge/,
    'There are unresolved conflicts: resolve them first',
  ],
  [
    /cannot (switch branch|rebase|pull with rebase).*while|is already in progress|have not concluded/i,
    'Another operation is in progress: continue or abort it first',
  ],
];

/** Checks out a branch, or another revision with HEAD detached. */
export function checkout(name: string): Command<void> {
  return {
    kind: 'write',
    args: ['checkout', '--quiet', '--progress', '--no-recurse-submodules', name, '--'],
    refusals: [
      ...dirtyWorktreeRefusals,
      [
        /already (checked out|used by worktree)/,
        `The branch is checked out in another work tree: ${quoted(name)}`,
      ],
      [/invalid reference|did not match/, `No such branch or revision: ${quoted(name)}`],
    ],
    parse: noResult,
  };
}

export interface TagOptions {
  readonly name: string;
  readonly revision?: string | undefined;
  readonly message?: string | undefined;
  readonly trusted: boolean;
}

/** Creates a tag; with a message, an annotated one. */
export function createTag({ name, revision, message, trusted }: TagOptions): Command<void> {
  return {
    kind: 'write',
    args: [
      'tag',
      ...(trusted ? [] : ['--no-sign']),
      ...(message === undefined ? [] : ['--annotate', '--file=-', '--cleanup=verbatim']),
      name,
      ...(revision === undefined ? [] : [revision]),
    ],
    ...(message !== undefined && { input: message }),
    refusals: [
      [/already exists/, `The tag already exists: ${quoted(name)}`],
      [/Failed to resolve/i, `No such revision: ${quoted(revision ?? 'HEAD')}`],
    ],
    parse: noResult,
  };
}

export function deleteTag(name: string): Command<void> {
  return {
    kind: 'write',
    args: ['tag', '--delete', name],
    refusals: [[/not found/, `No such tag: ${quoted(name)}`]],
    parse: noResult,
  };
}
