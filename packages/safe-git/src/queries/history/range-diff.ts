import { rangeDiff, type RangeDiffOptions } from '../../commands/history/range-diff.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { GitError, noSuch } from '../../errors.ts';
import type { TextPage } from '../../parse/text-page-reader.ts';
import type { Repository } from '../../repository.ts';

/**
 * A page of the differences between the commits of two ranges. Throws `NotFoundError` if one of the revisions
 * does not exist.
 */
export async function readRangeDiff(repository: Repository, options: RangeDiffOptions): Promise<TextPage> {
  const resolve = async (revision: string) => {
    const hash = await repository.run(commitHash(revision));
    if (hash === undefined) throw noSuch('revision', revision);
    return hash;
  };
  const { before, after, base } = options;
  const ends = { before: await resolve(before), after: await resolve(after) };
  const start = base === undefined ? undefined : await resolve(base);
  const empty = (['before', 'after'] as const).find((end) => ends[end] === start);
  if (empty !== undefined)
    throw new Error(
      `Invalid base: it is the same commit as ${empty}, so that there are no commits to compare`,
    );
  try {
    return await repository.run(rangeDiff({ ...options, ...ends, base: start }));
  } catch (error) {
    // `git range-diff` runs `git log` without --no-textconv. If the repository configures a textconv program,
    // its name is overridden by an empty one, which git fails to start.
    if (!(error instanceof GitError) || !error.message.includes('cannot run :')) throw error;
    throw new GitError(
      'Refused: git would convert files for diffs by a program of the repository, and the repository is not trusted',
      'not trusted',
    );
  }
}
