import { dateLimit } from '../../parse/date-limit.ts';
import {
  reflog,
  secondsOfLimit,
  type ReflogEntry,
  type ReflogFilter,
} from '../../commands/history/reflog.ts';
import { checkRefName } from '../../parse/validate-revision.ts';
import type { Repository } from '../../repository.ts';

export interface ReflogRequest extends Pick<ReflogFilter, 'author' | 'grep'> {
  /** The branch whose reflog is read. Defaults to HEAD. */
  readonly branch?: string | undefined;
  /** The earliest date, as the client wrote it; `until` is the latest. `dateLimit` parses both. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly max: number;
  readonly skip: number;
}

/** Reads a page of the reflog of HEAD or a branch. The result also tells whether there are more entries. */
export async function readReflogPage(
  repository: Repository,
  { branch = 'HEAD', since, until, ...page }: ReflogRequest,
): Promise<{ entries: readonly ReflogEntry[]; more: boolean }> {
  const name = branch === 'HEAD' ? branch : checkRefName(branch);
  const seconds = (limit: string | undefined) =>
    limit === undefined ? undefined : repository.run(secondsOfLimit(limit));
  const [from, to] = await Promise.all([
    seconds(since && dateLimit(since, 'start')),
    seconds(until && dateLimit(until, 'end')),
  ]);
  const filter = { ...page, since: from, until: to, max: page.max + 1 };
  const entries = await repository.run(reflog(name, filter));
  return { entries: entries.slice(0, page.max), more: entries.length > page.max };
}
