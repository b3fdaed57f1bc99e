import { isUtf8 } from 'node:buffer';
import { quoted, textOf } from './commands/display-name.ts';
import { parseTree, readObject, type TreeEntry } from './commands/read-object.ts';
import { revision as checkedRevision, treePath } from './commands/revision.ts';
import { NotFound } from './failure.ts';
import type { Repository } from './repository.ts';

/** A file of a revision, with text where it is text; or a directory. */
export type FoundAt =
  | { readonly kind: 'file'; readonly size: number; readonly bytes: Buffer; readonly text?: string }
  | { readonly kind: 'directory'; readonly entries: readonly TreeEntry[] };

/** What is at a path of a revision. */
export async function readAt(
  repository: Repository,
  revision: string,
  path: string,
  { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal },
): Promise<FoundAt> {
  const name = `${checkedRevision(revision)}:${treePath(path.replace(/\/+$/, ''))}`;
  const { hash } = await repository.layout();
  const object = await repository.run(readObject(name, maxBytes), { signal });
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
