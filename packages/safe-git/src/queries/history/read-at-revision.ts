import { argv } from '../../argv.ts';
import { isUtf8 } from 'node:buffer';
import type { Command } from '../../command.ts';
import { fields } from '../../parse/nul-records.ts';
import { quoted, textOf } from '../../safe-text.ts';
import { parseTree, readObject, type TreeEntry } from '../../commands/objects/cat-file.ts';
import { checkRevision, checkTreePath } from '../../parse/validate-revision.ts';
import { objectHash } from '../../commands/objects/rev-parse.ts';
import { damagedMessage, GitError, missingError, NotFoundError } from '../../errors.ts';
import { missing } from '../../missing.ts';
import type { Repository } from '../../repository.ts';

/** A file or directory of a revision. A file has `text` unless it is binary. */
export type RevisionEntry =
  | { readonly kind: 'file'; readonly size: number; readonly bytes: Buffer; readonly text?: string }
  | { readonly kind: 'directory'; readonly entries: readonly TreeEntry[] };

export const maxBlobBytes = 10 * 1024 * 1024;

/** How many bytes of a directory are read. Of a larger directory, only the first names are listed. */
const maxTreeBytes = 32 * 1024 * 1024;

/** Reads at most `maxBytes` of a file, or a directory. Throws `NotFoundError` if there is neither. */
export async function readAtRevision(
  repository: Repository,
  revision: string,
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<RevisionEntry> {
  const name = `${isStage(revision) ? revision : checkRevision(revision)}:${checkTreePath(path.replace(/^\.(\/+|$)/, '').replace(/\/+$/, ''))}`;
  const { hash } = await repository.layout();
  // `git cat-file` reads one name per line, so a name with a line break is resolved to a hash first.
  const key = name.includes('\n') ? await repository.run(objectHash(name)) : name;
  const object = key === undefined ? undefined : await repository.run(readObject(key, maxBytes));
  const submodule = object ? undefined : await repository.run(submoduleOf(revision, path));
  if (submodule !== undefined)
    throw new NotFoundError(`In a submodule, whose files are in another repository: ${quoted(submodule)}`);
  // If the name has a hash, but no object was found, the object exists and cannot be read.
  if (!object && (await repository.run(objectHash(name)))) throw new GitError(damagedMessage);
  if (!object || object.type === 'commit') throw await notAtRevision(repository, revision, path);
  const { type, size, bytes } = object;
  if (type === 'tree') {
    const whole =
      size <= bytes.length ? bytes : (await repository.run(readObject(object.hash, maxTreeBytes)))?.bytes;
    return { kind: 'directory', entries: parseTree(whole ?? bytes, hash === 'sha256' ? 64 : 40) };
  }
  const binary = bytes.subarray(0, 8_000).includes(0);
  return {
    kind: 'file',
    size,
    bytes,
    ...(!binary && { text: size > bytes.length ? beginningOf(bytes) : textOf(bytes) }),
  };
}

async function notAtRevision(repository: Repository, revision: string, path: string): Promise<NotFoundError> {
  const message = `No such file in ${quoted(revision)}: ${quoted(path)}`;
  if (isStage(revision)) return new NotFoundError(message);
  const known = await repository.run(objectHash(revision));
  const what = known ? missing('file', path, { revision, message }) : missing('revision', revision);
  return missingError(what);
}

/** Whether a revision is the index (`:0`) or a side of a conflict: base, ours, theirs. */
function isStage(revision: string): boolean {
  return /^:[0-3]$/.test(revision);
}

/** The path of the submodule that is at `path`, or contains it, in a revision; undefined if there is none. */
function submoduleOf(revision: string, path: string): Command<string | undefined> {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return {
    args: argv`ls-tree -z --full-tree ${revision} -- ${paths}`,
    accept: [128],
    parse: ({ stdout }) => {
      const entry = fields(stdout).find((each) => each.startsWith('160000 '));
      return entry?.slice(entry.indexOf('\t') + 1);
    },
  };
}

/** Decodes UTF-8 text. If the bytes end in the middle of a character, that character is left out. */
function beginningOf(bytes: Buffer): string {
  for (let missing = 0; missing < 4; missing++) {
    const whole = bytes.subarray(0, bytes.length - missing);
    if (isUtf8(whole)) return whole.toString();
  }
  return textOf(bytes);
}
