import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Integration, IntegrationOptions } from '../../commands/work-tree/integrate.ts';
import { changedPaths, trackedFiles } from '../../commands/work-tree/staging.ts';
import { status } from '../../commands/work-tree/status.ts';
import { ignoredAmong, notInIndex, untrackedAmong, writtenPaths } from '../../commands/objects/tree-paths.ts';
import type { Repository } from '../../repository.ts';
import { shortList } from '../../safe-text.ts';
import { operationIn } from '../operation/in-progress-operation.ts';

/** Returns the path itself if it exists, or a parent that is not a directory; otherwise undefined. */
export function pathInTheWay(top: string, path: string): string | undefined {
  const names = path.split('/');
  for (let end = 1; end <= names.length; end++) {
    const parent = names.slice(0, end);
    const stats = lstatSync(join(top, ...parent), { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (!stats.isDirectory()) return parent.join('/');
  }
  return path;
}

/**
 * Returns the entries that keep files from being created at these paths (see `pathInTheWay`), each only once.
 */
export function pathsInTheWay(top: string, paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => pathInTheWay(top, path) ?? []))];
}

/** Whether there is a directory at a path. A symlink to a directory does not count. */
export function isDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The untracked files, ignored or not, that a hard reset to a revision would overwrite or remove. */
export async function overwrittenUntracked(repository: Repository, revision: string): Promise<string[]> {
  const { top } = await repository.layout();
  const [added, replaced] = await Promise.all([
    repository.run(notInIndex(revision)),
    replacedByDirectories(repository),
  ]);
  const existing = [...pathsInTheWay(top, added), ...replaced];
  return existing.length === 0 ? [] : repository.run(untrackedAmong(existing));
}

/** Returns directories in the place of tracked files, and files in the place of tracked directories. */
export async function replacedByDirectories(repository: Repository): Promise<string[]> {
  const { top } = await repository.layout();
  const changed = await repository.run(changedPaths(['.'], false));
  return pathsInTheWay(top, changed).filter(
    (path) => !changed.includes(path) || isDirectory(join(top, path)),
  );
}

/** Whether a hard reset would lose changes of tracked files or an operation in progress. */
export async function hasTrackedChanges(repository: Repository): Promise<boolean> {
  const { entries } = await repository.run(status({ trusted: repository.trusted }));
  return entries.some(({ untracked }) => !untracked) || operationIn(await repository.layout()) !== undefined;
}

const maxPaths = 1_000;

/** Throws if an operation would overwrite ignored files, which git does without a warning. */
export async function refuseOverwritingIgnored(
  repository: Repository,
  kind: Integration,
  revisions: readonly string[],
  options: IntegrationOptions,
): Promise<void> {
  const written = await Promise.all(
    revisions.map((revision) => repository.runLocked(writtenBy(kind, revision, options))),
  );
  await refuseIgnored(repository, written.flat());
}

/**
 * Throws if ignored files are at paths that an operation would write. A file that is changed, but is not in
 * the index, is created: git reports a conflict, and overwrites an ignored file at its path.
 */
export async function refuseIgnored(repository: Repository, written: readonly string[]): Promise<void> {
  if (written.length === 0) return;
  const { top } = await repository.layout();
  const tracked = new Set(await repository.runLocked(trackedFiles));
  const existing = pathsInTheWay(
    top,
    written.filter((path) => !tracked.has(path)),
  );
  for (let at = 0; at < existing.length; at += maxPaths) {
    const lost = await repository.runLocked(ignoredAmong(existing.slice(at, at + maxPaths)));
    if (lost.length === 0) continue;
    throw new Error(`Ignored files would be overwritten: ${shortList(lost)}; move them away first`);
  }
}

function writtenBy(kind: Integration, revision: string, { mainline = 1, onto }: IntegrationOptions) {
  const [from, to] = revision.includes('..') ? revision.split('..') : [`${revision}^${mainline}`, revision];
  switch (kind) {
    case 'merge':
      return writtenPaths('HEAD', revision, { mergeBase: true });
    case 'rebase':
      return writtenPaths('HEAD', onto ?? revision);
    case 'cherry-pick':
      return writtenPaths(from!, to!);
    case 'revert':
      return writtenPaths(to!, from!);
  }
}
