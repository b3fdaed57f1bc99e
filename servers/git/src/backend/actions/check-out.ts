import type { Command } from '../command.ts';
import { commitHash } from '../commands/rev-parse.ts';
import { status } from '../commands/status.ts';
import { pathsBetween } from '../commands/tree-paths.ts';
import { GitStoppedError } from '../process/git-process.ts';
import { branchOfHead } from '../queries/head.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { restoreHead } from './checkpoint.ts';
import { restoreWrittenFiles } from './restore-written-files.ts';

/**
 * Runs a command that checks out a revision, and undoes it if it is stopped. Git refuses to check out where a
 * file with local changes differs, so that all files that differ were as in HEAD. Runs inside `withLock`.
 */
export async function checkOut(
  repository: Repository,
  command: Command<void>,
  revision: string,
  call: CallOptions,
): Promise<void> {
  const [branch, commit, target] = await Promise.all([
    repository.runLocked(branchOfHead, call),
    repository.runLocked(commitHash('HEAD'), call),
    repository.runLocked(commitHash(revision), call),
  ]);
  try {
    await repository.runLocked(command, call);
  } catch (error) {
    if (error instanceof GitStoppedError && commit !== undefined && target !== undefined) {
      await restoreHead(repository, { branch, commit });
      const differing = new Set(await repository.runLocked(pathsBetween(commit, target)));
      const { entries } = await repository.runLocked(status({ trusted: repository.trusted }));
      const changed = new Set(entries.map(({ path }) => path).filter((path) => !differing.has(path)));
      await restoreWrittenFiles(repository, [target], { commit, changed });
    }
    throw error;
  }
}
