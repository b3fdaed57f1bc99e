import { isUtf8 } from 'node:buffer';
import { quoted, textOf } from '../display-name.ts';
import { parseTree, readObject, type TreeEntry } from '../commands/cat-file.ts';
import { revision as checkedRevision, treePath } from '../commands/validate-revision.ts';
import { objectOf } from '../commands/rev-parse.ts';
import { damaged, GitFailure, NotFound } from '../errors.ts';
import type { Caller, Repository } from '../repository.ts';

/** A file of a revision, with text where it is text; or a directory. */
export type FoundAt =
  | { readonly kind: 'file'; readonly size: number; readonly bytes: Buffer; readonly text?: string }
  | { readonly kind: 'directory'; readonly entries: readonly TreeEntry[] };

/** The largest file that is sent whole, in bytes. */
export const largestBlob = 10 * 1024 * 1024;

/** Of larger directories, the beginning is told. */
const largestTree = 32 * 1024 * 1024;

/** What is at a path of a revision. */
export async function readAt(
  repository: Repository,
  revision: string,
  path: string,
  { maxBytes, ...caller }: { maxBytes: number } & Caller,
): Promise<FoundAt> {
  const name = `${checkedRevision(revision)}:${treePath(path.replace(/^\.(\/+|$)/, '').replace(/\/+$/, ''))}`;
  const { hash } = await repository.layout();
  const object = await repository.run(readObject(name, maxBytes), caller);
  // Git says of an object that it cannot read only that it is missing.
  if (!object && (await repository.run(objectOf(name), caller))) throw new GitFailure(damaged, 128);
  if (!object || object.type === 'commit')
    throw new NotFound(`No such file in ${quoted(revision)}: ${quoted(path)}`, 128);
  const { type, size, bytes } = object;
  if (type === 'tree') {
    const whole =
      size <= bytes.length ? bytes : (await repository.run(readObject(name, largestTree), caller))?.bytes;
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

/** A text that may have been cut within a character, which is left out then. */
function beginningOf(bytes: Buffer): string {
  for (let missing = 0; missing < 4; missing++) {
    const whole = bytes.subarray(0, bytes.length - missing);
    if (isUtf8(whole)) return whole.toString();
  }
  return textOf(bytes);
}
