import { messageOf } from '../commands/commit.ts';
import { committerNow, readCommits, replaceHead, writeCommit } from '../commands/raw-commits.ts';
import { commitHash, commitsOf } from '../commands/rev-parse.ts';
import { GitStoppedError } from '../process/git-process.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { shallowCommits } from '../queries/in-progress-operation.ts';
import { quoted } from '../display-name.ts';
import { ancestorOfHead } from './squash-commits.ts';

const maxRewritten = 200;

/**
 * Replaces the message of a commit, and the commits after it by copies; index and files stay as they are.
 * Signatures of these commits are left out. Returns the commit where HEAD was. Runs inside `withLock`.
 */
export async function rewordCommit(
  repository: Repository,
  revision: string,
  message: string,
  call: CallOptions,
): Promise<string> {
  const text = messageOf(message);
  const { base, head } = await ancestorOfHead(repository, revision, call);
  const later = await repository.runLocked(commitsOf(`${base}..${head}`, maxRewritten + 1), call);
  if (later.length > maxRewritten)
    throw new Error(`Invalid reword: more than ${maxRewritten} commits follow, and all would be replaced`);
  // Parents precede their children.
  const hashes = [base, ...later.toReversed()];
  const grafted = shallowCommits(await repository.layout());
  if (hashes.some((hash) => grafted.has(hash)))
    throw new Error(
      `Invalid reword: the shallow history begins at ${quoted(revision)}; its parents are missing`,
    );
  const [commits, committer] = await Promise.all([
    repository.runLocked(readCommits(hashes), call),
    repository.runLocked(committerNow, call),
  ]);
  const replaced = new Map<string, string>();
  for (const [index, hash] of hashes.entries()) {
    const [fields, body] = split(commits[index]!);
    const isTarget = hash === base;
    const parents = fields.filter(isParent).map((line) => line.slice('parent '.length));
    if (!isTarget && !parents.some((parent) => replaced.has(parent))) continue;
    const lines = fields.filter((line) => !isSignature(line) && !(isTarget && line.startsWith('encoding ')));
    const header = lines.map((line) => rewriteLine(line, replaced, committer));
    const newBody = isTarget ? Buffer.from(text).toString('latin1') : body;
    const raw = `${header.join('\n')}\n\n${newBody}`;
    replaced.set(hash, await repository.runLocked(writeCommit(raw), call));
  }
  const rewritten = replaced.get(head)!;
  try {
    await repository.runLocked(replaceHead(head, rewritten, 'reword'), call);
  } catch (error) {
    if (error instanceof GitStoppedError && (await repository.runLocked(commitHash('HEAD'))) === rewritten)
      await repository.runLocked(replaceHead(rewritten, head, 'undo a cancelled reword'));
    throw error;
  }
  return head;
}

/** The fields of the header, each with its continuation lines, and the message. */
function split(raw: string): [header: string[], body: string] {
  const end = raw.indexOf('\n\n');
  const header = end === -1 ? raw.trimEnd() : raw.slice(0, end);
  return [header.split(/\n(?! )/), end === -1 ? '' : raw.slice(end + 2)];
}

function isParent(line: string): boolean {
  return line.startsWith('parent ');
}

function isSignature(line: string): boolean {
  return /^gpgsig(-sha256)? /.test(line);
}

function rewriteLine(line: string, replaced: ReadonlyMap<string, string>, committer: string): string {
  if (line.startsWith('committer ')) return `committer ${committer}`;
  if (!isParent(line)) return line;
  const parent = line.slice('parent '.length);
  return `parent ${replaced.get(parent) ?? parent}`;
}
