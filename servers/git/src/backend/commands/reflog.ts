import type { Command } from '../command.ts';
import { commitFields } from './commit-format.ts';
import { rows, utc } from './nul-records.ts';
import { quoted } from '../display-name.ts';

/** A movement of HEAD or of a branch. */
export interface ReflogEntry {
  /** Such as `HEAD@{2}`. */
  readonly selector: string;
  /** The commit to which it moved. */
  readonly hash: string;
  readonly date: string;
  /** What moved it, such as `reset: moving to HEAD~1`. */
  readonly action: string;
  readonly subject: string;
}

const format = ['%gD', '%H', '%cd', '%gs', '%s'];

/** Lists the movements of HEAD or a branch, newest first. */
export function reflog(
  name: string,
  { max, skip }: { readonly max: number; readonly skip: number },
): Command<ReflogEntry[]> {
  return {
    args: [
      'log',
      '--walk-reflogs',
      `--max-count=${max}`,
      `--skip=${skip}`,
      ...commitFields(format),
      '--end-of-options',
      name,
      '--',
    ],
    refusals: [[/does not have any commits|log for .* is empty/, `No reflog: ${quoted(name)}`]],
    parse: ({ stdout }) =>
      rows(stdout, format.length)
        .map((row) => {
          const [selector, hash, date, action, subject] = row as [string, string, string, string, string];
          return { selector: selector.replace(/@\{.*\}$/s, ''), hash, date: utc(date), action, subject };
        })
        .map((entry, index) => ({ ...entry, selector: `${entry.selector}@{${skip + index}}` })),
  };
}
