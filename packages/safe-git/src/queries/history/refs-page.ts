import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from '../../trust/repository-layout.ts';
import { refDetails, refNames, type Ref, type RefsQuery } from '../../commands/refs/refs.ts';
import { resolveRevisions } from '../../commands/objects/rev-parse.ts';
import type { Repository } from '../../repository.ts';

export interface RefsPage {
  readonly refs: readonly Ref[];
  readonly total: number;
}

const maxFewRefs = 300;
const maxFewPackedBytes = 32 * 1024;

/**
 * A page of the refs. To sort refs, git reads the commit of each. If there are many refs, first reads only
 * their names, and then the commits of the page.
 */
export async function readRefs(
  repository: Repository,
  query: RefsQuery,
  { offset, limit }: { offset: number; limit: number },
): Promise<RefsPage> {
  const end = offset + limit;
  if (hasFewRefs(await repository.layout())) {
    const all = await repository.run(refDetails(query));
    return { refs: await peel(repository, all.slice(offset, end)), total: all.length };
  }
  const names = await repository.run(refNames(query));
  const page = names.slice(offset, end);
  const refs = page.length === 0 ? [] : await repository.run(refDetails(page));
  return { refs: await peel(repository, refs), total: names.length };
}

/**
 * Whether there are so few refs that all can be read for one page. Judges by the size of packed-refs and the
 * number of files in refs.
 */
function hasFewRefs({ commonDir }: Layout): boolean {
  if (existsSync(join(commonDir, 'reftable'))) return false;
  const packed = statSync(join(commonDir, 'packed-refs'), { throwIfNoEntry: false });
  if (packed && packed.size > maxFewPackedBytes) return false;
  const directories = [join(commonDir, 'refs')];
  let count = 0;
  for (const directory of directories) {
    const entries = readdirSync(directory, { withFileTypes: true });
    count += entries.length;
    if (count > maxFewRefs) return false;
    directories.push(
      ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name)),
    );
  }
  return true;
}

/** Resolves tags that point to tags to their commits. Older versions of git follow only the first tag. */
async function peel(repository: Repository, refs: readonly Ref[]): Promise<readonly Ref[]> {
  const nested = refs.filter(({ isNested }) => isNested);
  if (nested.length === 0) return refs;
  const hashes = await repository.run(resolveRevisions(...nested.map(({ full }) => `${full}^{}`)));
  const byName = new Map(nested.map(({ full }, index) => [full, hashes[index]]));
  return refs.map((ref) => ({ ...ref, hash: byName.get(ref.full) ?? ref.hash }));
}
