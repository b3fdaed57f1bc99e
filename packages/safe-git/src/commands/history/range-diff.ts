import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import type { TextPage } from '../../parse/text-page-reader.ts';
import { paged } from '../../parse/text-page.ts';

export interface RangeDiffOptions {
  /** The last commits of both ranges. */
  readonly before: string;
  readonly after: string;
  /**
   * The revision after which both ranges start. By default, each range has the commits that the history of
   * the other's last commit does not have.
   */
  readonly base?: string | undefined;
  readonly stat: boolean;
  readonly cursor?: string | undefined;
}

/** A page of the differences between the commits of two ranges, such as before and after a rebase. */
export function rangeDiff({ before, after, base, stat, cursor }: RangeDiffOptions): Command<TextPage> {
  const ranges = base === undefined ? [`${before}...${after}`] : [`${base}..${before}`, `${base}..${after}`];
  return paged(
    {
      args: argv`-c core.abbrev=10 range-diff --no-color --no-ext-diff --no-textconv ${stat && '--no-patch'} ${ranges} --`,
    },
    cursor,
  );
}
