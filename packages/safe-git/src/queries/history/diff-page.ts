import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { workTreePaths } from '../../access/work-tree-path.ts';
import { diff, type DiffOptions } from '../../commands/history/diff.ts';
import { objectHash } from '../../commands/objects/rev-parse.ts';
import { isTracked } from '../../commands/work-tree/staging.ts';
import { noSuch } from '../../errors.ts';
import type { TextPage } from '../../parse/text-page-reader.ts';
import type { Repository } from '../../repository.ts';
import { quoted } from '../../safe-text.ts';

/**
 * Reads a page of a diff. `paths` come from the client and are relative to the top. Throws `NotFoundError`
 * for a path that neither side of the diff has.
 */
export async function readDiffPage(
  repository: Repository,
  options: DiffOptions,
  cursor: string | undefined,
): Promise<TextPage> {
  const { top } = await repository.layout();
  const paths = workTreePaths(options.paths ?? [], top);
  const page = await repository.run(diff({ ...options, paths }, cursor));
  if (cursor === undefined) await assertInDiff(repository, paths, options.of);
  return page;
}

/** Throws `NotFoundError` for a path that neither side of a diff has. Git would just print nothing. */
export async function assertInDiff(
  repository: Repository,
  paths: readonly string[],
  of: DiffOptions['of'],
): Promise<void> {
  const range = typeof of === 'object' ? /^(.*?)\.{2,3}(.*)$/s.exec(of.target) : null;
  const revisions = range
    ? [range[1] || 'HEAD', range[2] || 'HEAD']
    : [typeof of === 'object' ? of.target : 'HEAD'];
  for (const path of paths) {
    if (path === '.' || (!range && (await isInWorkTree(repository, path)))) continue;
    if (of !== 'unstaged' && (await isInRevisions(repository, path, revisions))) continue;
    const where = range && typeof of === 'object' ? of.target : undefined;
    throw missingFile(path, where, revisions[1]);
  }
}

/** Throws `NotFoundError` for a path that is not in `revision` or, if that is undefined, not tracked. */
export async function assertTracked(
  repository: Repository,
  paths: readonly string[],
  revision: string | undefined,
): Promise<void> {
  for (const path of paths) {
    if (path === '.') continue;
    if (revision !== undefined) {
      if (!(await isInRevisions(repository, path, [revision]))) throw missingFile(path, revision, revision);
    } else if (!(await repository.run(isTracked(path)))) {
      throw noSuch('file', path, { message: `Not a tracked file: ${quoted(path)}` });
    }
  }
}

/**
 * Whether a path is in the work tree or in the index. A file whose deletion is not staged is still in the
 * index.
 */
async function isInWorkTree(repository: Repository, path: string): Promise<boolean> {
  const { top } = await repository.layout();
  try {
    if (lstatSync(join(top, path))) return true;
  } catch {
    // The path does not exist, or a parent of it is a file. It may still be in the index.
  }
  return repository.run(isTracked(path));
}

async function isInRevisions(
  repository: Repository,
  path: string,
  revisions: readonly string[],
): Promise<boolean> {
  const hashes = await Promise.all(
    revisions.map((revision) => repository.run(objectHash(`${revision}:${path}`))),
  );
  return hashes.some((hash) => hash !== undefined);
}

function missingFile(path: string, where: string | undefined, revision: string | undefined) {
  const place = where === undefined ? '' : ` in ${quoted(where)}`;
  return noSuch('file', path, { revision, message: `No such file${place}: ${quoted(path)}` });
}
