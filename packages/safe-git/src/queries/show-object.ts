import { parseTree, readObject, type TreeEntry } from '../commands/cat-file.ts';
import type { CommitPage } from '../commands/commit-page-reader.ts';
import { objectHash } from '../commands/rev-parse.ts';
import { showCommit, showFile, type ShowOptions } from '../commands/show.ts';
import { parseTag, type AnnotatedTag } from '../commands/tag-object.ts';
import type { TextPage } from '../commands/text-page-reader.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** The object that a name refers to, and the annotated tags on the way to it. */
export interface ShownObject {
  readonly tags: readonly AnnotatedTag[];
  readonly target:
    | { readonly kind: 'commit'; readonly page: CommitPage }
    | { readonly kind: 'directory'; readonly entries: readonly TreeEntry[] }
    | { readonly kind: 'file'; readonly page: TextPage };
}

/** Maximum number of tags that are followed to their target. */
const maxTags = 20;
const maxTagBytes = 256 * 1024;
const maxTreeBytes = 32 * 1024 * 1024;

/** Shows a commit, a tag, or a file or directory of a revision. Throws `NotFoundError`. */
export async function showObject(
  repository: Repository,
  requestedName: string,
  options: ShowOptions,
  call: CallOptions,
): Promise<ShownObject> {
  const tags: AnnotatedTag[] = [];
  for (let name = requestedName; ;) {
    if (!name.includes(':')) {
      const page = await repository.run(showCommit(name, options), call);
      if (page) return { tags, target: { kind: 'commit', page } };
    }
    // The input of cat-file is lines.
    const key = name.includes('\n') ? await repository.run(objectHash(name), call) : name;
    const object = key === undefined ? undefined : await repository.run(readObject(key, maxTagBytes), call);
    if (object?.type === 'tag' && tags.length < maxTags) {
      const tag = parseTag(object.bytes);
      tags.push(tag);
      name = tag.target;
      continue;
    }
    if (object?.type === 'tree') {
      const tree = await repository.run(readObject(object.hash, maxTreeBytes), call);
      const entries = parseTree((tree ?? object).bytes, object.hash.length);
      return { tags, target: { kind: 'directory', entries } };
    }
    const page = await repository.run(showFile(name, options.cursor), call);
    return { tags, target: { kind: 'file', page } };
  }
}
