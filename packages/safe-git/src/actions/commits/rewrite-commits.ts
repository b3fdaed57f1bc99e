import type { Command } from '../../command.ts';
import { messageOf } from '../../commands/work-tree/commit.ts';
import {
  committerNow,
  type PlainCommit,
  readCommits,
  replaceHead,
  writeCommit,
  writeSignedCommit,
} from '../../commands/objects/raw-commits.ts';
import { commitHash, commitsOf, isAncestor } from '../../commands/objects/rev-parse.ts';
import { noSuch } from '../../errors.ts';
import { refuseDuringOperation, shallowCommits } from '../../queries/operation/in-progress-operation.ts';
import type { Repository } from '../../repository.ts';
import { quoted } from '../../safe-text.ts';

/**
 * Makes one commit of all commits after `since` with the command `commit`, and returns the former commit of
 * HEAD. If the command fails, moves HEAD back. The caller must hold the lock of the repository (`withLock`).
 */
export async function squashCommits(
  repository: Repository,
  since: string,
  commit: Command<void>,
): Promise<string> {
  const { base, head } = await ancestorOfHead(repository, since);
  if (base === head) throw new Error(`Nothing to squash: there is no commit after ${quoted(since)}`);
  try {
    await repository.runLocked(replaceHead(head, base, 'squash'));
    await repository.runLocked(commit);
  } catch (error) {
    await restoreHead(repository.uncancelled, { base, head });
    throw error;
  }
  return head;
}

/** Moves HEAD from `base` back to `head`, unless another process has moved HEAD. */
async function restoreHead(
  repository: Repository,
  { base, head }: { base: string; head: string },
): Promise<void> {
  const [now, parent] = await Promise.all([
    repository.runLocked(commitHash('HEAD')),
    repository.runLocked(commitHash('HEAD^')),
  ]);
  if (now !== undefined && now !== head && (now === base || parent === base))
    await repository.runLocked(replaceHead(now, head, 'undo a squash'));
}

/** The hash of HEAD (`head`), and the hash of a commit in its history (`base`). */
export interface AncestorOfHead {
  /** How the caller named the commit. */
  readonly revision: string;
  readonly base: string;
  readonly head: string;
}

/** Resolves a revision. Throws if it is not in the history of HEAD, or if an operation is in progress. */
export async function ancestorOfHead(repository: Repository, revision: string): Promise<AncestorOfHead> {
  refuseDuringOperation(await repository.layout());
  const [base, head] = await Promise.all([
    repository.runLocked(commitHash(revision)),
    repository.runLocked(commitHash('HEAD')),
  ]);
  if (base === undefined) throw noSuch('revision', revision);
  if (head === undefined || !(await repository.runLocked(isAncestor(base, head))))
    throw new Error(`Not in the history of HEAD: ${quoted(revision)}`);
  return { revision, base, head };
}

const maxRewritten = 200;

/** Which parts of a commit are replaced: its message, its tree or both. */
interface Replacement {
  /** The argument of the tool call that requests the replacement; errors and the reflog name it. */
  readonly what: 'reword' | 'fixup';
  /** Defaults to the commit's own message. */
  readonly message?: string | undefined;
  /**
   * Returns the new tree of the replaced commit or of a commit after it. Without this function, every commit
   * keeps its tree.
   */
  readonly treeOf?: (commit: string, isHead: boolean) => Promise<string>;
}

export interface Rewritten {
  /** The former commit of HEAD. */
  readonly before: string;
  /** The commit in place of the one that was replaced. */
  readonly commit: string;
  /** How many commits after the replaced one were copied. */
  readonly copied: number;
}

/**
 * Replaces a commit, and replaces the commits after it by copies on top of the new commit. The index and the
 * files do not change. The new commits have no signatures, unless the server signs commits. The caller must
 * hold the lock.
 */
export async function rewriteCommits(
  repository: Repository,
  { revision, base, head }: AncestorOfHead,
  { what, message, treeOf }: Replacement,
): Promise<Rewritten> {
  const text = message === undefined ? undefined : messageOf(message);
  const later = await repository.runLocked(commitsOf(`${base}..${head}`, maxRewritten + 1));
  if (later.length > maxRewritten)
    throw new Error(
      `Invalid ${what}: more than ${maxRewritten} commits after ${quoted(revision)} would be replaced; pass a later commit`,
    );
  // Oldest first, so that a commit is copied after its parents.
  const hashes = [base, ...later.toReversed()];
  const grafted = shallowCommits(await repository.layout());
  if (hashes.some((hash) => grafted.has(hash)))
    throw new Error(
      `Invalid ${what}: the shallow history begins at ${quoted(revision)}; its parents are missing`,
    );
  const [commits, committer] = await Promise.all([
    repository.runLocked(readCommits(hashes)),
    repository.runLocked(committerNow),
  ]);
  const replaced = new Map<string, string>();
  for (const [index, hash] of hashes.entries()) {
    const [fields, body] = split(commits[index]!);
    const newText = hash === base ? text : undefined;
    const parents = fields.filter(isParent).map((line) => line.slice('parent '.length));
    if (hash !== base && !parents.some((parent) => replaced.has(parent))) continue;
    const tree = await treeOf?.(hash, hash === head);
    const lines = fields.filter(
      (line) => !isSignature(line) && !(newText !== undefined && line.startsWith('encoding ')),
    );
    const header = lines.map((line) => rewriteLine(line, { replaced, committer, tree }));
    const newBody = newText === undefined ? body : Buffer.from(newText).toString('latin1');
    const command = repository.signs
      ? writeSignedCommit(plainCommit(header, newBody, hash))
      : writeCommit(`${header.join('\n')}\n\n${newBody}`);
    replaced.set(hash, await repository.runLocked(command));
  }
  await replaceHeadUndoably(repository, head, replaced.get(head)!, what);
  return { before: head, commit: replaced.get(base)!, copied: replaced.size - 1 };
}

async function replaceHeadUndoably(
  repository: Repository,
  head: string,
  rewritten: string,
  what: string,
): Promise<void> {
  await repository.undoIfStopped(
    () => repository.runLocked(replaceHead(head, rewritten, what)),
    async (uncancelled) => {
      if ((await uncancelled.runLocked(commitHash('HEAD'))) === rewritten)
        await uncancelled.runLocked(replaceHead(rewritten, head, `undo a cancelled ${what}`));
    },
  );
}

/** Splits a commit into its message and its header fields. A field includes its continuation lines. */
function split(raw: string): [header: string[], body: string] {
  const end = raw.indexOf('\n\n');
  const header = end === -1 ? raw.trimEnd() : raw.slice(0, end);
  return [header.split(/\n(?! )/), end === -1 ? '' : raw.slice(end + 2)];
}

/**
 * Parses a commit that is to be created anew with a signature. Throws if its header has fields that would be
 * lost.
 */
function plainCommit(header: readonly string[], message: string, hash: string): PlainCommit {
  const [tree, ...others] = header.filter((line) => !isParent(line) && !line.startsWith('committer '));
  const [author = '', ...unknown] = others;
  const decoded = Buffer.from(author, 'latin1').toString('utf8');
  const [, name, email, seconds, zone] = /^author (.+) <([^<>]*)> (\d+) ([+-]\d{4})$/.exec(decoded) ?? [];
  if (name === undefined || decoded.includes('\ufffd') || unknown.length > 0)
    throw new Error(
      `The commit ${hash.slice(0, 10)} cannot be signed again: its header has fields that would be lost`,
    );
  return {
    tree: tree!.slice('tree '.length),
    parents: header.filter(isParent).map((line) => line.slice('parent '.length)),
    author: { name, email: email!, date: `@${seconds} ${zone}` },
    message,
  };
}

function isParent(line: string): boolean {
  return line.startsWith('parent ');
}

function isSignature(line: string): boolean {
  return /^gpgsig(-sha256)? /.test(line);
}

interface NewFields {
  readonly replaced: ReadonlyMap<string, string>;
  readonly committer: string;
  readonly tree: string | undefined;
}

function rewriteLine(line: string, { replaced, committer, tree }: NewFields): string {
  if (line.startsWith('committer ')) return `committer ${committer}`;
  if (tree !== undefined && line.startsWith('tree ')) return `tree ${tree}`;
  if (!isParent(line)) return line;
  const parent = line.slice('parent '.length);
  return `parent ${replaced.get(parent) ?? parent}`;
}
