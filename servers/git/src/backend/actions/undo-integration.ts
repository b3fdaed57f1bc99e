import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SymlinkedPaths } from '../access/symlinked-paths.ts';
import { blobHashes, hashFiles } from '../commands/compare-blobs.ts';
import { quit, step, type Integration } from '../commands/integrate.ts';
import { attachHead, detachHead, moveBranch } from '../commands/move-head.ts';
import { commitHash } from '../commands/rev-parse.ts';
import { restoreExactly } from '../commands/staging.ts';
import { status } from '../commands/status.ts';
import { displayName } from '../display-name.ts';
import { branchOfHead } from '../queries/head.ts';
import { operationIn } from '../queries/in-progress-operation.ts';
import type { Repository } from '../repository.ts';

/** The state to which a cancelled operation is undone. */
export interface Checkpoint {
  readonly branch: string | undefined;
  readonly commit: string | undefined;
  /** Paths with changes of the user, which stay as they are. */
  readonly changed: ReadonlySet<string>;
}

export async function checkpoint(repository: Repository): Promise<Checkpoint> {
  const [branch, commit, { entries }] = await Promise.all([
    repository.runLocked(branchOfHead),
    repository.runLocked(commitHash('HEAD')),
    repository.runLocked(status({ trusted: repository.trusted })),
  ]);
  const changed = entries.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  return { branch, commit, changed: new Set(changed) };
}

/**
 * Undoes an operation that was stopped at any point. Git's own `--abort` needs a complete state directory;
 * the rest restores HEAD, the branch, and the files that git had started to write. Throws if something could
 * not be undone.
 */
export async function undoIntegration(
  repository: Repository,
  kind: Integration,
  revisions: readonly string[],
  before: Checkpoint,
): Promise<void> {
  const layout = await repository.layout();
  if (operationIn(layout) === kind) await repository.runLocked(step(kind, 'abort')).catch(() => {});
  if (operationIn(layout) === kind) await repository.runLocked(quit(kind)).catch(() => {});
  await restoreHead(repository, before);
  await restoreFiles(repository, revisions, before);
  const left = await remains(repository, before);
  if (left !== '') throw new Error(`The ${kind} was stopped, and could not be undone: ${left}`);
}

async function restoreHead(repository: Repository, { branch, commit }: Checkpoint): Promise<void> {
  const [head, headCommit] = await Promise.all([
    repository.runLocked(branchOfHead),
    repository.runLocked(commitHash('HEAD')),
  ]);
  if (branch === undefined) {
    if (commit !== undefined && (head !== undefined || headCommit !== commit))
      await repository.runLocked(detachHead(commit));
    return;
  }
  const tip = await repository.runLocked(commitHash(`refs/heads/${branch}`));
  if (commit !== undefined && tip !== commit) await repository.runLocked(moveBranch(branch, commit));
  if (head !== branch) await repository.runLocked(attachHead(branch));
}

async function restoreFiles(
  repository: Repository,
  revisions: readonly string[],
  { commit, changed }: Checkpoint,
): Promise<void> {
  const { entries } = await repository.runLocked(status({ trusted: repository.trusted }));
  const unexpected = entries.filter(({ path }) => !changed.has(path));
  if (commit === undefined || unexpected.length === 0) return;
  const { top } = await repository.layout();
  const symlinked = new SymlinkedPaths(top);
  const onDisk = unexpected
    .map(({ path }) => path)
    .filter((path) => !path.includes('\n') && !symlinked.has(Buffer.from(path)) && isFile(join(top, path)));
  const written = await writtenByGit(repository, revisions, onDisk);
  const restorable = (path: string) => written.has(path) || !exists(join(top, path));
  for (const { path, untracked } of unexpected)
    if (untracked && written.has(path)) rmSync(join(top, path), { force: true });
  const tracked = unexpected.filter(({ untracked, path }) => !untracked && restorable(path));
  const paths = tracked.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  if (paths.length > 0) await repository.runLocked(restoreExactly(commit, paths));
}

/** The files whose content is that of a revision or of its parent: git wrote them, and no content is lost. */
async function writtenByGit(
  repository: Repository,
  revisions: readonly string[],
  paths: readonly string[],
): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const [hashes, ...expected] = await Promise.all([
    repository.runLocked(hashFiles(paths)),
    ...revisions.flatMap((revision) => [
      repository.runLocked(blobHashes(revision, paths)),
      repository.runLocked(blobHashes(`${revision}^`, paths)),
    ]),
  ]);
  return new Set(paths.filter((_, index) => expected.some((of) => of[index] === hashes[index])));
}

/** Describes the differences from the checkpoint; empty if there are none. */
async function remains(repository: Repository, before: Checkpoint): Promise<string> {
  const now = await checkpoint(repository);
  const operation = operationIn(await repository.layout());
  const files = [...now.changed].filter((path) => !before.changed.has(path));
  return [
    ...(operation ? [`a ${operation} is in progress, which git_integrate can abort`] : []),
    ...(now.branch !== before.branch || now.commit !== before.commit
      ? [`HEAD was ${describe(before)} and is ${describe(now)}, which git_checkout and git_reset can change`]
      : []),
    ...(files.length > 0
      ? [`changed files, which git_restore can restore: ${files.slice(0, 10).map(displayName).join(', ')}`]
      : []),
  ].join('; ');
}

function describe({ branch, commit }: Checkpoint): string {
  return `${branch === undefined ? 'detached' : displayName(branch)} at ${commit?.slice(0, 10) ?? 'no commit'}`;
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
