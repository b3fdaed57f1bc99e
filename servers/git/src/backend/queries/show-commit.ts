import type { CommitPage } from '../commands/commit-page-reader.ts';
import { showCommit } from '../commands/show.ts';
import { missingError } from '../errors.ts';
import { missing } from '../missing.ts';
import type { Repository } from '../repository.ts';

/** The first page of a commit, or of the commit that a tag names. Throws `NotFoundError`. */
export async function firstCommitPage(repository: Repository, revision: string): Promise<CommitPage> {
  const page = await repository.run(showCommit(`${revision}^{commit}`));
  if (!page) throw missingError(missing('revision', revision));
  return page;
}
