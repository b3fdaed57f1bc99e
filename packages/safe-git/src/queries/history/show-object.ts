import { parseTree, readObject, type TreeEntry } from '../../commands/objects/cat-file.ts';
import { assertInDiff } from './diff-page.ts';
import { objectHash } from '../../commands/objects/rev-parse.ts';
import { showCommit, showFile, type ShowOptions } from '../../commands/history/show.ts';
import { noSuch } from '../../errors.ts';
import type { CommitPage } from '../../parse/commit-page-reader.ts';
import { type AnnotatedTag, parseTag } from '../../parse/tag-object.ts';
import type { TextPage } from '../../parse/text-page-reader.ts';
import type { Repository } from '../../repository.ts';

/** The object to which a name refers, and the annotated tags that lead to it. */
export interface ShownObject {
  readonly tags: readonly AnnotatedTag[];
  readonly target:
    | { readonly kind: 'commit'; readonly page: CommitPage }
    | { readonly kind: 'directory'; readonly entries: readonly TreeEntry[] }
    | { readonly kind: 'file'; readonly page: TextPage };
}

/** Maximum number of tags that are followed until an object is found. */
const maxTags = 20;
const maxTagBytes = 256 * 1024;
const maxTreeBytes = 32 * 1024 * 1024;

/** Reads a commit, tag, file or directory. Throws `NotFoundError` if it does not exist. */
export async function showObject(
  repository: Repository,
  requestedName: string,
  options: ShowOptions,
): Promise<ShownObject> {
  const tags: AnnotatedTag[] = [];
  for (let name = requestedName; ;) {
    if (!name.includes(':')) {
      const page =
        (await repository.run(showCommit(name, options))) ??
        (await unchangedCommit(repository, name, options));
      if (page) return { tags, target: { kind: 'commit', page } };
    }
    // `git cat-file` reads one name per line, so a name with a line break is resolved to a hash first.
    const key = name.includes('\n') ? await repository.run(objectHash(name)) : name;
    const object = key === undefined ? undefined : await repository.run(readObject(key, maxTagBytes));
    if (object?.type === 'tag' && tags.length < maxTags) {
      const tag = parseTag(object.bytes);
      tags.push(tag);
      name = tag.target;
      continue;
    }
    if (object?.type === 'tree') {
      const tree = await repository.run(readObject(object.hash, maxTreeBytes));
      const entries = parseTree((tree ?? object).bytes, object.hash.length);
      return { tags, target: { kind: 'directory', entries } };
    }
    const page = await repository.run(showFile(name, options));
    return { tags, target: { kind: 'file', page } };
  }
}

/**
 * Returns a commit that changes none of the paths, for which git prints nothing. Undefined if the object is
 * not a commit. Throws for a path that neither the commit nor its first parent has.
 */
async function unchangedCommit(
  repository: Repository,
  name: string,
  { paths = [], cursor }: ShowOptions,
): Promise<CommitPage | undefined> {
  if (paths.length === 0 || cursor !== undefined) return undefined;
  const page = await repository.run(showCommit(name, { stat: true }));
  if (!page) return undefined;
  const { hash, parents } = page.commit;
  await assertInDiff(repository, paths, { target: `${parents[0] ?? hash}..${hash}` });
  return { commit: page.commit, diff: { text: 'No change of these paths' } };
}

/**
 * Reads a commit, or the commit of a tag, with the first page of its diff. Throws `NotFoundError` if there is
 * no such commit.
 */
export async function firstCommitPage(repository: Repository, revision: string): Promise<CommitPage> {
  const page = await repository.run(showCommit(`${revision}^{commit}`));
  if (!page) throw noSuch('revision', revision);
  return page;
}

/** Reads the untracked files of a stash. Undefined if the commit is not a stash, or has no such files. */
export async function readUntrackedOfStash(
  repository: Repository,
  { parents }: { readonly parents: readonly string[] },
  options: ShowOptions,
): Promise<TextPage | undefined> {
  const [, , untracked] = parents;
  if (untracked === undefined || parents.length !== 3) return undefined;
  const page = await repository.run(showCommit(untracked, options));
  const isStash = page?.commit.parents.length === 0 && page.commit.message.startsWith('untracked files');
  return isStash ? page.diff : undefined;
}
