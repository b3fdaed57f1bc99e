import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { DiffOptions } from '../commands/diff.ts';
import { isTracked } from '../commands/staging.ts';
import { objectHash } from '../commands/rev-parse.ts';
import { quoted } from '../display-name.ts';
import { missingError } from '../errors.ts';
import { missing } from '../missing.ts';
import type { CallOptions, Repository } from '../repository.ts';

/** Throws `NotFoundError` for a path that is on neither side of a diff, for which git prints nothing. */
export async function assertInDiff(
  repository: Repository,
  paths: readonly string[],
  of: DiffOptions['of'],
  call: CallOptions,
): Promise<void> {
  const range = typeof of === 'object' ? /^(.*?)\.{2,3}(.*)$/s.exec(of.target) : null;
  const revisions = range
    ? [range[1] || 'HEAD', range[2] || 'HEAD']
    : [typeof of === 'object' ? of.target : 'HEAD'];
  for (const path of paths) {
    if (path === '.' || (!range && (await isInWorkTree(repository, path, call)))) continue;
    if (of !== 'unstaged' && (await isInRevisions(repository, path, revisions, call))) continue;
    const where = range && typeof of === 'object' ? of.target : undefined;
    throw missingFile(path, where, revisions[1]);
  }
}

/** Throws `NotFoundError` for a path that is not in a revision or, without one, not tracked. */
export async function assertTracked(
  repository: Repository,
  paths: readonly string[],
  revision: string | undefined,
  call: CallOptions,
): Promise<void> {
  for (const path of paths) {
    if (path === '.') continue;
    if (revision !== undefined) {
      if (!(await isInRevisions(repository, path, [revision], call)))
        throw missingFile(path, revision, revision);
    } else if (!(await repository.run(isTracked(path), call))) {
      throw missingError(missing('file', path, { message: `Not a tracked file: ${quoted(path)}` }), 128);
    }
  }
}

/** It may be in the index, which still has deleted files. */
async function isInWorkTree(repository: Repository, path: string, call: CallOptions): Promise<boolean> {
  const { top } = await repository.layout();
  try {
    if (lstatSync(join(top, path))) return true;
  } catch {
    // It does not exist, or is below a file.
  }
  return repository.run(isTracked(path), call);
}

async function isInRevisions(
  repository: Repository,
  path: string,
  revisions: readonly string[],
  call: CallOptions,
): Promise<boolean> {
  const hashes = await Promise.all(
    revisions.map((revision) => repository.run(objectHash(`${revision}:${path}`), call)),
  );
  return hashes.some((hash) => hash !== undefined);
}

function missingFile(path: string, where: string | undefined, revision: string | undefined) {
  const place = where === undefined ? '' : ` in ${quoted(where)}`;
  return missingError(
    missing('file', path, { revision, message: `No such file${place}: ${quoted(path)}` }),
    128,
  );
}
