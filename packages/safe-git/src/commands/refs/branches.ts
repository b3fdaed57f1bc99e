import { argv } from '../../argv.ts';
import type { Command, Refusal } from '../../command.ts';
import { quoted } from '../../safe-text.ts';
import { missing } from '../../missing.ts';
import { lines, succeeded } from '../../parse/printed.ts';

export function branchExists(name: string): Command<boolean> {
  return {
    args: argv`show-ref --verify --quiet refs/heads/${name}`,
    accept: [1],
    parse: succeeded,
  };
}

export interface CreateBranchOptions {
  /** The revision at which the branch starts. Defaults to HEAD. */
  readonly base?: string | undefined;
  readonly move?: boolean;
}

function createRefusals(name: string, { base }: CreateBranchOptions): readonly Refusal[] {
  return [
    [/already exists/, `The branch already exists: ${quoted(name)}; set move to move it`],
    [/cannot force update/i, `The branch is checked out: ${quoted(name)}; a reset to a revision moves it`],
    [
      /not a valid object name|is not a commit and a branch|Failed to resolve/i,
      missing('revision', base ?? 'HEAD'),
    ],
  ];
}

export function createBranch(name: string, options: CreateBranchOptions = {}): Command<void> {
  const { base, move } = options;
  return {
    kind: 'write',
    args: argv`branch --no-track ${move && '--force'} ${name} ${base}`,
    refusals: createRefusals(name, options),
  };
}

const checkoutArgs = argv`checkout --quiet --progress --no-recurse-submodules --no-overwrite-ignore`;

/** Creates a branch and checks it out. If local changes would be overwritten, git does neither. */
export function createAndCheckout(name: string, options: CreateBranchOptions): Command<void> {
  const { base = 'HEAD', move } = options;
  return {
    kind: 'write',
    args: argv`${checkoutArgs} ${move ? '-B' : '-b'} ${name} --no-track ${base} --`,
    refusals: [...dirtyWorktreeRefusals, ...createRefusals(name, options)],
  };
}

export function renameBranch(from: string, to: string): Command<void> {
  return {
    kind: 'write',
    args: argv`branch --move ${from} ${to}`,
    refusals: [
      [/already exists/, `The branch already exists: ${quoted(to)}`],
      [/no branch named|not found|rename of .* failed/i, missing('branch', from)],
    ],
  };
}

/**
 * Sets the upstream of a local branch: the branch with which it is compared, and the default for pull and
 * push.
 */
export function setUpstream(name: string, upstream: string): Command<void> {
  return {
    kind: 'write',
    args: argv`branch --quiet --set-upstream-to=${upstream} ${name}`,
    refusals: [
      [
        /upstream branch|not a branch|ambiguous|starting point|not a valid/i,
        missing('upstream', upstream, { message: `No such upstream branch: ${quoted(upstream)}` }),
      ],
      [/branch '.*' does not exist|no such branch/i, missing('branch', name)],
    ],
  };
}

export function unsetUpstream(name: string): Command<void> {
  return {
    kind: 'write',
    args: argv`branch --quiet --unset-upstream ${name}`,
    refusals: [[/has no upstream/, `The branch has no upstream: ${quoted(name)}`]],
  };
}

/** Deletes branches. Without `force`, git refuses a branch that is not merged into HEAD or its upstream. */
export function deleteBranches(names: readonly string[], force: boolean): Command<void> {
  return {
    kind: 'write',
    args: argv`branch --delete --quiet ${force && '--force'} ${names}`,
    refusals: [
      [
        /branch '(.*)' is not fully merged/,
        ([, name = '']) =>
          `The branch is not fully merged: ${quoted(name)}; force deletes it and its commits`,
      ],
      [
        /branch '(.*)' (?:checked out|used by worktree) at '(.*)'/,
        ([, name = '', path = '']) => checkedOutMessage(name, path),
      ],
      [/branch '(.*)' not found/, ([, name = '']) => missing('branch', name)],
    ],
  };
}

/** The refusal to delete a branch that a work tree has checked out. */
export function checkedOutMessage(name: string, path: string): string {
  return `The branch ${quoted(name)} is checked out in ${quoted(path)}; switch to another branch there first`;
}

/** Matches git's message that untracked files would be overwritten. Captures the first of these files. */
export const untrackedInTheWay =
  /untracked working tree files? .*would be (?:overwritten|removed) by[^\n]*\n\t([^\n]+)/;

export function untrackedMessage(path: string): string {
  return `An untracked file would be overwritten: ${quoted(path)}; move it away, or stash the untracked files too`;
}

export const unresolvedConflicts = 'There are unresolved conflicts: resolve them first';

/** The errors of commands that change the work tree, if files have local changes or conflicts. */
export const dirtyWorktreeRefusals: readonly Refusal[] = [
  [untrackedInTheWay, ([, path = '']) => untrackedMessage(path)],
  [/untracked working tree file '(.*)' would be/i, ([, path = '']) => untrackedMessage(path)],
  [/would lose untracked files in them:\n\t([^\n]+)/, ([, path = '']) => untrackedMessage(path)],
  [/would be overwritten by/, 'Local changes would be overwritten: commit, stash or restore them first'],
  [/you need to resolve your current index first|unmerged|needs merge/, unresolvedConflicts],
  [
    /cannot (switch branch|rebase|pull with rebase).*while|is already in progress|have not concluded/i,
    'Another operation is in progress: continue or abort it first',
  ],
];

/** Checks out a branch. Any other revision is checked out with a detached HEAD. */
export function checkout(name: string): Command<void> {
  return {
    kind: 'write',
    args: argv`${checkoutArgs} ${name} --`,
    refusals: [
      ...dirtyWorktreeRefusals,
      [
        /already (checked out|used by worktree)/,
        `The branch is checked out in another work tree: ${quoted(name)}`,
      ],
      [
        /invalid reference|did not match/,
        missing('revision', name, { message: `No such branch or revision: ${quoted(name)}` }),
      ],
    ],
  };
}

/**
 * Moves HEAD, with its branch, to a commit. Keeps local changes; if git would have to overwrite a change,
 * fails and changes nothing.
 */
export function moveKeepingChanges(branch: string | undefined, commit: string): Command<void> {
  const where = branch === undefined ? ['--detach'] : ['-B', branch, '--no-track'];
  return {
    kind: 'write',
    args: argv`checkout --quiet --no-recurse-submodules --no-overwrite-ignore ${where} ${commit} --`,
    refusals: [
      ...dirtyWorktreeRefusals,
      [/reference is not a tree|not a commit|invalid reference/, missing('revision', commit)],
    ],
  };
}

export interface TagOptions {
  readonly name: string;
  readonly revision?: string | undefined;
  readonly message?: string | undefined;
  readonly trusted: boolean;
  /** Whether an annotated tag is signed with the key of the operator. */
  readonly signs?: boolean;
}

/** Creates a tag. With a message, the tag is annotated. */
export function createTag({ name, revision, message, trusted, signs }: TagOptions): Command<void> {
  const annotated =
    message === undefined ? [] : [signs ? '--sign' : '--annotate', '--file=-', '--cleanup=verbatim'];
  return {
    kind: 'write',
    args: argv`tag ${!trusted && !signs && '--no-sign'} ${annotated} ${name} ${revision}`,
    input: message,
    refusals: [
      [/already exists/, `The tag already exists: ${quoted(name)}`],
      [/Failed to resolve/i, missing('revision', revision ?? 'HEAD')],
    ],
  };
}

/** The object to which a tag ref points: a commit, or the tag object of an annotated tag. */
export interface TagTarget {
  readonly hash: string;
  readonly type: string;
}

export function tagTarget(name: string): Command<TagTarget | undefined> {
  return {
    args: argv`for-each-ref --format=${'%(objectname) %(objecttype) %(refname)'} refs/tags/${name}`,
    parse: (output) => {
      // The pattern `refs/tags/v1` also matches tags such as `v1/beta`, so the exact name is selected here.
      const [hash, type] =
        lines(output)
          .find((line) => line.endsWith(` refs/tags/${name}`))
          ?.split(' ') ?? [];
      return hash === undefined || type === undefined ? undefined : { hash, type };
    },
  };
}

export function deleteTag(name: string): Command<void> {
  return {
    kind: 'write',
    args: argv`tag --delete ${name}`,
    refusals: [[/not found/, missing('tag', name)]],
  };
}
