import { isUtf8 } from 'node:buffer';
import { quoted, textOf } from './commands/display-name.ts';
import { parseTree, readObject, type TreeEntry } from './commands/read-object.ts';
import { revision as checkedRevision, treePath } from './commands/revision.ts';
import { objectOf } from './commands/resolve.ts';
import { damaged, GitFailure, NotFound } from './failure.ts';
import type { Caller, Repository } from './repository.ts';

/** A file of a revision, with text where it is text; or a directory. */
export type FoundAt =
  | { readonly kind: 'file'; readonly size: number; readonly bytes: Buffer; readonly text?: string }
  | { readonly kind: 'directory'; readonly entries: readonly TreeEntry[] };

/** The largest file that is sent whole, in bytes. */
export const largestBlob = 10 * 1024 * 1024;

/** What is at a path of a revision. */
export async function readAt(
  repository: Repository,
  revision: string,
  path: string,
  { maxBytes, ...caller }: { maxBytes: number } & Caller,
): Promise<FoundAt> {
  const name = `${checkedRevision(revision)}:${treePath(path.replace(/\/+$/, ''))}`;
  const { hash } = await repository.layout();
  const object = await repository.run(readObject(name, maxBytes), caller);
  // Git says of an object that it cannot read only that it is missing.
  if (!object && (await repository.run(objectOf(name), caller))) throw new GitFailure(damaged, 128);
  if (!object || object.type === 'commit')
    throw new NotFound(`No such file in ${quoted(revision)}: ${quoted(path)}`, 128);
  const { type, size, bytes } = object;
  if (type === 'tree') {
    return { kind: 'directory', entries: parseTree(bytes, hash === 'sha256' ? 64 : 40) };
  }
  const binary = bytes.subarray(0, 8_000).includes(0);
  return {
    kind: 'file',
    size,
    bytes,
    ...(!binary && { text: isUtf8(bytes) ? bytes.toString() : textOf(bytes) }),
  };
}
