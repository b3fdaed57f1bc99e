import { lstatSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { SymlinkedPaths } from '../../access/symlinked-paths.ts';
import { conflictedPaths } from '../../commands/work-tree/index-entries.ts';
import {
  addOthers,
  addStored,
  forgetKept,
  keepObjectAs,
  listKeptWork,
  readTree,
  removeEntries,
  storeFiles,
  writeTree,
} from '../../commands/work-tree/kept-work.ts';
import { writeCommit } from '../../commands/objects/raw-commits.ts';
import { commitHash } from '../../commands/objects/rev-parse.ts';
import { GitStoppedError } from '../../process/git-process.ts';
import { operationIn } from '../../queries/operation/in-progress-operation.ts';
import type { Repository } from '../../repository.ts';
import { quoted } from '../../safe-text.ts';

/**
 * The maximum number of commits that keep discarded work. The oldest commits beyond it are removed, and so
 * are commits older than `maxAgeMs`.
 */
export const maxKept = 100;
const maxAgeMs = 30 * 24 * 60 * 60_000;
/** Maximum size of the files that one commit keeps. */
const maxKeptBytes = 256 * 1024 * 1024;

export interface DiscardedWork {
  /** Tracked files that differ from the index. A file that does not exist is kept as a deletion. */
  readonly tracked: readonly string[];
  readonly untracked: readonly string[];
  /** Whether staged changes, or an operation in progress, are discarded too. */
  readonly staged: boolean;
}

/** Returns why the loss of this work cannot be undone; undefined if a commit can keep the work. */
export async function reasonNotKept(
  repository: Repository,
  { tracked, untracked, staged }: DiscardedWork,
): Promise<string | undefined> {
  if ((await repository.run(commitHash('HEAD'))) === undefined) return 'the repository has no commit yet';
  const layout = await repository.layout();
  if (staged) {
    const [conflict] = await repository.run(conflictedPaths());
    if (conflict !== undefined) return `${quoted(conflict)} is in conflict`;
    const operation = operationIn(layout);
    if (operation !== undefined && operation !== 'bisect') return `a ${operation} is in progress`;
  }
  const nested = untracked.find((path) => path.endsWith('/'));
  if (nested !== undefined) return `${quoted(nested)} is a repository of its own`;
  const sizes = [...tracked, ...untracked].map((path) => statsOf(layout.top, path)?.size ?? 0);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes > maxKeptBytes
    ? `the files have ${bytes} bytes, and at most ${maxKeptBytes} are saved for an undo`
    : undefined;
}

/**
 * Stores work in a commit with the form of a stash: second parent the index, third parent untracked files. A
 * ref keeps the commit for 30 days, or until 100 newer ones exist. The caller must hold the lock.
 */
async function keepWork(repository: Repository, work: DiscardedWork, why: string): Promise<string> {
  const head = await repository.runLocked(commitHash('HEAD'));
  if (head === undefined)
    throw new Error('The work to discard cannot be saved: the repository has no commit yet');
  const { gitDir } = await repository.layout();
  const index = join(gitDir, `kept-work-${process.pid}.index`);
  try {
    const conflicts = work.staged ? [] : await repository.runLocked(conflictedPaths());
    const staged = conflicts.length > 0 ? `${head}^{tree}` : await repository.runLocked(writeTree());
    await repository.runLocked(readTree(index, staged));
    const stagedTree = conflicts.length > 0 ? await repository.runLocked(writeTree(index)) : staged;
    await addAll(repository, index, work.tracked);
    const tree = await repository.runLocked(writeTree(index));
    const message = `work saved before ${why}`;
    const time = Date.now();
    const commit = (parents: readonly string[], ofTree: string, about: string) =>
      repository.runLocked(writeCommit(commitText(ofTree, parents, `${about}${message}`, time)));
    const parents = [head, await commit([head], stagedTree, 'index: ')];
    if (work.untracked.length > 0) {
      await repository.runLocked(readTree(index, undefined));
      await addAll(repository, index, work.untracked);
      const untracked = await repository.runLocked(writeTree(index));
      parents.push(await commit([], untracked, 'untracked files: '));
    }
    const hash = await commit(parents, tree, '');
    await addKept(repository, hash, time);
    return hash;
  } finally {
    rmSync(index, { force: true });
  }
}

/** Adds a ref that keeps an object. Deletes the refs of earlier objects that are too old or too many. */
async function addKept(repository: Repository, hash: string, time: number): Promise<void> {
  const kept = await repository.runLocked(listKeptWork);
  const outdated = kept.filter((each, at) => at < kept.length - maxKept + 1 || each.time < time - maxAgeMs);
  await repository.runLocked(keepObjectAs(hash, time, outdated));
}

/**
 * Adds a ref for an object to which nothing will refer, such as a dropped stash, and then runs `drop`. If
 * `drop` fails or returns false, the ref is removed again. The caller must hold the lock.
 */
export async function keepObject(
  repository: Repository,
  hash: string,
  drop: () => Promise<boolean>,
): Promise<void> {
  await addKept(repository, hash, Date.now());
  try {
    if (!(await drop())) await forget(repository, hash);
  } catch (error) {
    // A stopped git may already have dropped the object, so the ref stays then.
    if (!(error instanceof GitStoppedError)) await forget(repository.uncancelled, hash);
    throw error;
  }
}

async function forget(repository: Repository, hash: string): Promise<void> {
  const kept = await repository.runLocked(listKeptWork);
  for (const { ref } of kept.filter((each) => each.hash === hash))
    await repository.runLocked(forgetKept(ref));
}

/**
 * Stores `work` in a commit, then runs `discard`, which loses the work. If `discard` fails, removes the
 * commit again. Returns the hash of the commit. The caller must hold the lock.
 */
export async function keepBefore(
  repository: Repository,
  work: DiscardedWork | undefined,
  why: string,
  discard: () => Promise<unknown>,
): Promise<string | undefined> {
  const kept = work && (await keepWork(repository, work, why));
  try {
    await discard();
  } catch (error) {
    if (kept !== undefined) await forget(repository.uncancelled, kept);
    throw error;
  }
  return kept;
}

/** Puts files, unfiltered, into the index file `index`, and removes missing paths from that index. */
async function addAll(repository: Repository, index: string, paths: readonly string[]): Promise<void> {
  const { top } = await repository.layout();
  const linked = new SymlinkedPaths(top);
  const stats = new Map(
    paths.map((path) => [path, linked.has(Buffer.from(path)) ? undefined : statsOf(top, path)]),
  );
  const gone = paths.filter((path) => !stats.get(path));
  // `storeFiles` applies no filters, but reads one path per line. Files with a line break or a quote in their
  // path are added by `addOthers`.
  const plain = paths.filter((path) => stats.get(path)?.isFile() && !/[\n\r"]/.test(path));
  const others = paths.filter((path) => !gone.includes(path) && !plain.includes(path));
  const hashes = plain.length === 0 ? [] : await repository.runLocked(storeFiles(plain));
  const files = plain.map((path, at) => {
    const isExecutable = (stats.get(path)!.mode & 0o100) !== 0;
    return { mode: isExecutable ? '100755' : '100644', hash: hashes[at]!, path };
  });
  if (gone.length > 0) await repository.runLocked(removeEntries(index, gone));
  if (files.length > 0) await repository.runLocked(addStored(index, files));
  if (others.length > 0) await repository.runLocked(addOthers(index, others));
}

function commitText(tree: string, parents: readonly string[], message: string, time: number): string {
  const person = `kept work <kept@localhost> ${Math.floor(time / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
  ];
  return `${lines.join('\n')}\n\n${message}\n`;
}

/** Returns undefined if the path does not exist or has a parent that is a file. */
function statsOf(top: string, path: string): Stats | undefined {
  try {
    return lstatSync(join(top, path));
  } catch {
    return undefined;
  }
}
