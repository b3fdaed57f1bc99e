import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { dirtyWorktreeRefusals, untrackedInTheWay, untrackedMessage } from '../refs/branches.ts';
import { commandError, missingError } from '../../errors.ts';
import { missing, type Missing } from '../../missing.ts';
import { pathList, rows, utc } from '../../parse/nul-records.ts';

export function missingStash(stash: number | string): Missing {
  return missing('stash', String(stash), { message: `No such stash: ${stash}` });
}

/** Returns the revision for a stash, which is given by its number or by the hash of its commit. */
export function nameOf(stash: number | string): string {
  if (typeof stash === 'number') return `stash@{${stash}}`;
  // Git would read a hash of only digits as the number of a stash. With `^0`, it reads a revision.
  return /^\d+$/.test(stash) ? `${stash}^0` : stash;
}

const noSuchStash = /not a valid reference|only has|No stash entries|not a stash-like commit/;

export interface Stash {
  readonly index: number;
  readonly hash: string;
  readonly message: string;
  readonly date: string;
  /**
   * The message in the stash's commit, which a dropped stash has again when it is put back. `message` is the
   * text in the reflog, which can differ.
   */
  readonly original: string;
}

export const listStashes: Command<Stash[]> = {
  args: argv`stash list -z --format=tformat:%H%x00%gs%x00%cI%x00%B --encoding=UTF-8`,
  parse: ({ stdout }) =>
    rows(stdout, 4).map(([hash = '', message = '', date = '', original = ''], index) => ({
      index,
      hash,
      message,
      date: utc(date),
      original,
    })),
};

export function saveStash(message: string | undefined, untracked: boolean): Command<boolean> {
  return {
    kind: 'write',
    args: argv`stash push ${untracked && '--include-untracked'} --message=${message}`,
    literalPaths: false,
    refusals: [
      [/do not have the initial commit/, 'Nothing can be stashed: there is no commit yet'],
      ...dirtyWorktreeRefusals,
    ],
    parse: ({ stdout }) => !/^No local changes/m.test(stdout.toString('utf8')),
  };
}

/** With `index conflicts`, the stash's staged part conflicts, and nothing was applied. */
export type ApplyOutcome = 'applied' | 'conflicts' | 'index conflicts';

/** A dropped stash is given by its hash. With `pop`, the stash is dropped unless it conflicts. */
export function applyStash(
  action: 'apply' | 'pop',
  stash: number | string,
  { restoreIndex = true } = {},
): Command<ApplyOutcome> {
  return {
    kind: 'write',
    args: argv`stash ${action} --quiet ${restoreIndex && '--index'} ${nameOf(stash)}`,
    refusals: [[noSuchStash, missingStash(stash)]],
    // With exit code 1, the stash conflicts with the files or the index, and git does not drop it.
    accept: [1],
    parse: (output) => {
      const { code, stdout, stderr } = output;
      if (code === 0) return 'applied';
      if (/conflicts in index/i.test(stderr)) return 'index conflicts';
      if (/CONFLICT|Merge conflict/i.test(stdout.toString('utf8') + stderr)) return 'conflicts';
      if (/would be overwritten|already exists/.test(stderr)) {
        const [, untracked] = untrackedInTheWay.exec(stderr) ?? [];
        throw new Error(
          untracked === undefined
            ? 'Local changes would be overwritten: commit, stash or restore them first'
            : untrackedMessage(untracked),
        );
      }
      if (noSuchStash.test(stderr)) throw missingError(missingStash(stash));
      throw new Error(`Stash ${stash} cannot be applied: ${commandError({}, output).message}`);
    },
  };
}

export function untrackedOf(stash: number | string): Command<string[]> {
  // The untracked files are in the third parent of the stash. A stash without such files has no third parent,
  // and git exits with 128.
  return pathList(argv`ls-tree -r -z --name-only --full-tree ${nameOf(stash)}^3`, [128]);
}

/** Puts a dropped stash back on top of the list. `commit` is the hash of its commit. */
export function storeStash(commit: string, message: string): Command<void> {
  return { kind: 'write', args: argv`stash store --quiet --message=${message} ${commit}` };
}

export function dropStash(index: number): Command<void> {
  return {
    kind: 'write',
    args: argv`stash drop --quiet stash@{${index}}`,
    refusals: [[noSuchStash, missingStash(index)]],
  };
}
