import { nothing, type Command, type Refusal } from '../command.ts';
import { quoted } from '../display-name.ts';

export function branchExists(name: string): Command<boolean> {
  return {
    args: ['show-ref', '--verify', '--quiet', `refs/heads/${name}`],
    accept: [1],
    parse: ({ code }) => code === 0,
  };
}

/** Makes a branch and leaves HEAD where it is. */
export function createBranch(name: string, base?: string): Command<void> {
  return {
    kind: 'write',
    args: ['branch', '--no-track', name, ...(base === undefined ? [] : [base])],
    refusals: [
      [/already exists/, `The branch is there already: ${quoted(name)}`],
      [/not a valid object name/i, `No such revision: ${quoted(base ?? 'HEAD')}`],
    ],
    parse: nothing,
  };
}

/** Deletes a branch; unless forced, only one whose commits are on another. */
export function deleteBranch(name: string, force: boolean): Command<void> {
  return {
    kind: 'write',
    args: ['branch', '--delete', '--quiet', ...(force ? ['--force'] : []), name],
    refusals: [
      [
        /not fully merged/,
        `The branch has commits that are nowhere else: ${quoted(name)}; force deletes it all the same`,
      ],
      [/checked out at|used by worktree/, `The branch is checked out: ${quoted(name)}`],
      [/not found/, `No such branch: ${quoted(name)}`],
    ],
    parse: nothing,
  };
}

/** What a change of the work tree would overwrite or run into. */
export const inTheWay: readonly Refusal[] = [
  [/would be overwritten by/, 'Files changed here would be overwritten: commit, stash or restore them first'],
  [
    /you need to resolve your current index first|unmerged|needs merge/,
    'There are conflicts to resolve first',
  ],
  [
    /cannot (switch branch|rebase|pull with rebase).*while|is already in progress|have not concluded/i,
    'Another operation is in progress: continue or abort it first',
  ],
];

/** Goes to a branch; to another revision with HEAD detached. */
export function checkout(name: string): Command<void> {
  return {
    kind: 'write',
    args: ['checkout', '--quiet', '--progress', '--no-recurse-submodules', name, '--'],
    refusals: [
      ...inTheWay,
      [
        /already (checked out|used by worktree)/,
        `The branch is checked out in another work tree: ${quoted(name)}`,
      ],
      [/invalid reference|did not match/, `No such branch or revision: ${quoted(name)}`],
    ],
    parse: nothing,
  };
}

export interface TagOptions {
  readonly name: string;
  readonly revision?: string | undefined;
  readonly message?: string | undefined;
  readonly trusted: boolean;
}

/** Makes a tag; one with a message has an author and a date of its own. */
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
      [/already exists/, `The tag is there already: ${quoted(name)}`],
      [/Failed to resolve/i, `No such revision: ${quoted(revision ?? 'HEAD')}`],
    ],
    parse: nothing,
  };
}

export function deleteTag(name: string): Command<void> {
  return {
    kind: 'write',
    args: ['tag', '--delete', name],
    refusals: [[/not found/, `No such tag: ${quoted(name)}`]],
    parse: nothing,
  };
}
