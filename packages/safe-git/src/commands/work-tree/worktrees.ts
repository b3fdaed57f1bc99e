import { argv } from '../../argv.ts';
import { fields } from '../../parse/nul-records.ts';
import type { Command } from '../../command.ts';
import { quoted } from '../../safe-text.ts';
import { missing, type Missing } from '../../missing.ts';

export interface Worktree {
  readonly path: string;
  readonly hash?: string;
  readonly branch?: string;
  readonly bare?: true;
  readonly locked?: true;
  readonly prunable?: true;
}

export const worktreeList: Command<Worktree[]> = {
  args: argv`worktree list --porcelain -z`,
  parse: ({ stdout }) => parseWorktrees(stdout),
};

export function parseWorktrees(output: Buffer): Worktree[] {
  const found: { -readonly [K in keyof Worktree]: Worktree[K] }[] = [];
  for (const field of fields(output)) {
    const space = field.indexOf(' ');
    const key = space === -1 ? field : field.slice(0, space);
    const value = field.slice(key.length + 1);
    const last = found.at(-1);
    if (key === 'worktree') found.push({ path: value });
    else if (!last) continue;
    else if (key === 'HEAD') last.hash = value;
    else if (key === 'branch') last.branch = value.replace(/^refs\/heads\//, '');
    else if (key === 'bare' || key === 'locked' || key === 'prunable') last[key] = true;
  }
  return found;
}

export interface WorktreeAddOptions {
  readonly path: string;
  readonly branch?: string | undefined;
  readonly revision?: string | undefined;
}

/** Adds a work tree without checking out its files. */
export function worktreeAdd({ path, branch, revision }: WorktreeAddOptions): Command<void> {
  return {
    kind: 'write',
    args: argv`worktree add --no-checkout ${branch === undefined ? [] : ['-b', branch]} -- ${path} ${revision}`,
    refusals: [
      [/a branch named '.*' already exists/i, `The branch already exists: ${quoted(branch ?? '')}`],
      [
        /'(.*)' is already (?:checked out|used by worktree) at '(.*)'/,
        ([, name = '', at = '']) =>
          `The branch ${quoted(name)} is checked out in the work tree ${quoted(at)}`,
      ],
      [/invalid reference|not a valid object name/i, missing('revision', revision ?? 'HEAD')],
    ],
  };
}

/** Describes the error that there is no linked work tree at a path. */
export function notLinked(path: string): Missing {
  return missing('work tree', path, { message: `Not a linked work tree: ${quoted(path)}` });
}

/** Moves a linked work tree to a path that does not exist yet. */
export function worktreeMove(path: string, to: string): Command<void> {
  return {
    kind: 'write',
    args: argv`worktree move -- ${path} ${to}`,
    refusals: [
      [/is not a working tree|is a main working tree/, notLinked(path)],
      [/cannot move a locked working tree/, `The work tree is locked: ${quoted(path)}`],
      [/containing submodules cannot be moved/, 'A work tree with submodules in it cannot be moved'],
    ],
  };
}

export function worktreeRemove(path: string): Command<void> {
  return {
    kind: 'write',
    args: argv`worktree remove --force -- ${path}`,
    refusals: [
      [/is not a working tree|is a main working tree/, notLinked(path)],
      [/cannot remove a locked working tree/, `The work tree is locked: ${quoted(path)}`],
    ],
  };
}

/** Removes git's files about unlocked work trees whose directories no longer exist. Returns their number. */
export const worktreePrune: Command<number> = {
  kind: 'write',
  args: argv`worktree prune --verbose --expire=now`,
  // Git prints `Removing …` on stderr since 2.35; older versions print it on stdout.
  parse: ({ stdout, stderr }) => `${stdout.toString('latin1')}\n${stderr}`.match(/^Removing /gm)?.length ?? 0,
};

/** Unlocks a work tree, so that it can be removed or pruned. */
export function worktreeUnlock(path: string): Command<void> {
  return {
    kind: 'write',
    args: argv`worktree unlock -- ${path}`,
    refusals: [
      [/is not a working tree|is a main working tree|main working tree/i, notLinked(path)],
      [/is not locked/, `The work tree is not locked: ${quoted(path)}`],
    ],
  };
}
