import { isUtf8 } from 'node:buffer';
import type { Command } from '../command.ts';
import { fields } from '../commands/nul-records.ts';
import { quoted, textOf } from '../display-name.ts';
import { parseTree, readObject, type TreeEntry } from '../commands/cat-file.ts';
import { checkRevision, checkTreePath } from '../commands/validate-revision.ts';
import { objectHash } from '../commands/rev-parse.ts';
import { damagedMessage, GitError, missingError, NotFoundError } from '../errors.ts';
import { missing } from '../missing.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** A file of a revision, with `text` unless it is binary; or a directory. */
export type RevisionEntry =
  | { readonly kind: 'file'; readonly size: number; readonly bytes: Buffer; readonly text?: string }
  | { readonly kind: 'directory'; readonly entries: readonly TreeEntry[] };

/** The largest file that is sent whole. */
export const maxBlobBytes = 10 * 1024 * 1024;

/** A larger directory is listed up to here. */
const maxTreeBytes = 32 * 1024 * 1024;

/**
 * Reads the file or directory at a path of a revision, up to `maxBytes` of a file. Throws `NotFoundError`.
 */
export async function readAtRevision(
  repository: Repository,
  revision: string,
  path: string,
  { maxBytes, ...call }: { maxBytes: number } & CallOptions,
): Promise<RevisionEntry> {
  const name = `${isStage(revision) ? revision : checkRevision(revision)}:${checkTreePath(path.replace(/^\.(\/+|$)/, '').replace(/\/+$/, ''))}`;
  const { hash } = await repository.layout();
  // The input of cat-file is lines.
  const key = name.includes('\n') ? await repository.run(objectHash(name), call) : name;
  const object = key === undefined ? undefined : await repository.run(readObject(key, maxBytes), call);
  const submodule = object ? undefined : await repository.run(submoduleOf(revision, path), call);
  if (submodule !== undefined)
    throw new NotFoundError(
      `In a submodule, whose files are in another repository: ${quoted(submodule)}`,
      128,
    );
  // Git reports an unreadable object as missing.
  if (!object && (await repository.run(objectHash(name), call))) throw new GitError(damagedMessage, 128);
  if (!object || object.type === 'commit') throw await notAtRevision(repository, revision, path, call);
  const { type, size, bytes } = object;
  if (type === 'tree') {
    const whole =
      size <= bytes.length
        ? bytes
        : (await repository.run(readObject(object.hash, maxTreeBytes), call))?.bytes;
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

async function notAtRevision(
  repository: Repository,
  revision: string,
  path: string,
  call: CallOptions,
): Promise<NotFoundError> {
  const message = `No such file in ${quoted(revision)}: ${quoted(path)}`;
  if (isStage(revision)) return new NotFoundError(message, 128);
  const known = await repository.run(objectHash(revision), call);
  const what = known ? missing('file', path, { revision, message }) : missing('revision', revision);
  return missingError(what, 128);
}

/** The index, or a stage of a conflict in it: 1 the merge base, 2 ours, 3 theirs. */
function isStage(revision: string): boolean {
  return /^:[0-3]$/.test(revision);
}

/** The submodule at a path of a revision, or above it; undefined without a submodule. */
function submoduleOf(revision: string, path: string): Command<string | undefined> {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return {
    args: ['ls-tree', '-z', '--full-tree', revision, '--', ...paths],
    accept: [128],
    parse: ({ stdout }) => {
      const entry = fields(stdout).find((each) => each.startsWith('160000 '));
      return entry?.slice(entry.indexOf('\t') + 1);
    },
  };
}

/** Decodes text that may end within a character, which is left out then. */
function beginningOf(bytes: Buffer): string {
  for (let missing = 0; missing < 4; missing++) {
    const whole = bytes.subarray(0, bytes.length - missing);
    if (isUtf8(whole)) return whole.toString();
  }
  return textOf(bytes);
}
