import { argv } from '../../argv.ts';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../../command.ts';
import { blobHashes, hashFiles } from '../../commands/objects/compare-blobs.ts';
import { diffOptions } from '../../commands/history/diff.ts';
import { indexEntries } from '../../commands/work-tree/index-entries.ts';
import { commitHash, objectHash } from '../../commands/objects/rev-parse.ts';
import { operationIn } from './in-progress-operation.ts';
import type { Repository } from '../../repository.ts';

/**
 * Whether an abort would lose work: the files or the index differ from the tree that git left when it
 * stopped. This tree is AUTO_MERGE if there were conflicts, otherwise the tree of HEAD.
 */
export async function hasResolutions(repository: Repository): Promise<boolean> {
  const layout = await repository.layout();
  if (operationIn(layout) === undefined) return false;
  const autoMerge = await repository.run(objectHash('AUTO_MERGE^{tree}'));
  const written = autoMerge ?? 'HEAD';
  if (written === 'HEAD' && (await repository.run(commitHash('HEAD'))) === undefined) return true;
  const differing = await Promise.all([
    repository.run(differsFrom(written)),
    repository.run(differsFrom(written, { staged: true })),
  ]);
  return differing.includes(true);
}

/**
 * Returns the files in conflict that nobody has changed since git wrote them. Undefined if git has not kept
 * the result of its merge (AUTO_MERGE) to compare with.
 */
export async function untouchedConflicts(
  repository: Repository,
  paths: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const { top } = await repository.layout();
  if ((await repository.run(objectHash('AUTO_MERGE^{tree}'))) === undefined) return undefined;
  const files = paths.filter(
    (path) => !path.includes('\n') && lstatSync(join(top, path), { throwIfNoEntry: false })?.isFile(),
  );
  if (files.length === 0) return new Set();
  const [now, written] = await Promise.all([
    repository.run(hashFiles(files)),
    repository.run(blobHashes('AUTO_MERGE', files)),
  ]);
  return new Set(files.filter((_, index) => now[index] === written[index]));
}

/** Returns the paths of resolved conflicts whose staged content differs from both sides. */
export async function resolvedByHand(repository: Repository, paths: readonly string[]): Promise<string[]> {
  const resolved = await repository.run(indexEntries('resolve-undo', paths));
  if (resolved.size === 0) return [];
  const staged = await repository.run(indexEntries('stage', [...resolved.keys()]));
  return [...resolved].flatMap(([path, versions]) => {
    const entry = staged.get(path)?.find(({ stage }) => stage === 0);
    return entry === undefined || versions.some(({ hash }) => hash === entry.hash) ? [] : [path];
  });
}

/** Whether the work tree or, with `staged`, the index differs from a tree. Paths in conflict are left out. */
function differsFrom(tree: string, { staged = false } = {}): Command<boolean> {
  return {
    args: argv`diff ${diffOptions} --name-only -z --diff-filter=u ${staged && '--cached'} --end-of-options ${tree} --`,
    // All output is read: a git that is stopped at its first output would leave the lock file of the index.
    parse: ({ stdout }) => stdout.length > 0,
  };
}
