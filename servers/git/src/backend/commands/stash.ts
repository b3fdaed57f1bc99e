import { nothing, type Command } from '../command.ts';
import { inTheWay } from './branches.ts';
import { rows, utc } from './nul-records.ts';

const noSuchStash = /not a valid reference|only has|No stash entries/;

export interface Stash {
  readonly index: number;
  readonly hash: string;
  readonly message: string;
  readonly date: string;
}

export const listStashes: Command<Stash[]> = {
  args: ['stash', 'list', '-z', '--format=tformat:%H%x00%gs%x00%cI', '--encoding=UTF-8'],
  parse: ({ stdout }) =>
    rows(stdout, 3).map(([hash, message, date], index) => ({
      index,
      hash: hash!,
      message: message!,
      date: utc(date!),
    })),
};

/** Puts changes aside; says whether there were any. */
export function saveStash(message: string | undefined, untracked: boolean): Command<boolean> {
  return {
    kind: 'write',
    args: [
      'stash',
      'push',
      ...(untracked ? ['--include-untracked'] : []),
      ...(message === undefined ? [] : [`--message=${message}`]),
    ],
    literalPaths: false,
    refusals: [
      [/do not have the initial commit/, 'There is no commit yet, so nothing can be put aside'],
      ...inTheWay,
    ],
    parse: ({ stdout }) => !/^No local changes/m.test(stdout.toString('utf8')),
  };
}

/** Takes changes back; says whether that went without conflicts. */
export function takeStash(how: 'apply' | 'pop', index: number): Command<boolean> {
  return {
    kind: 'write',
    args: ['stash', how, '--quiet', '--index', `stash@{${index}}`],
    refusals: [[noSuchStash, `No such stash: ${index}`]],
    // 1 is a conflict, in the files or in the index: then nothing is dropped.
    accept: [1],
    parse: ({ code, stdout, stderr }) => {
      if (code === 0) return true;
      if (/CONFLICT|Merge conflict/i.test(stdout.toString('utf8') + stderr)) return false;
      if (/would be overwritten|already exists/.test(stderr)) {
        throw new Error('Files changed here would be overwritten: commit, stash or restore them first');
      }
      throw new Error(
        noSuchStash.test(stderr) ? `No such stash: ${index}` : `The stash does not apply here: ${index}`,
      );
    },
  };
}

export function dropStash(index: number): Command<void> {
  return {
    kind: 'write',
    args: ['stash', 'drop', '--quiet', `stash@{${index}}`],
    refusals: [[noSuchStash, `No such stash: ${index}`]],
    parse: nothing,
  };
}
