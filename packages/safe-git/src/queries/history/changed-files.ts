import { workTreePaths } from '../../access/work-tree-path.ts';
import type { Commit } from '../../commands/history/log.ts';
import { type Compared, patchRows, type PatchRowsOptions } from '../../commands/history/patch-rows.ts';
import { showCommit } from '../../commands/history/show.ts';
import { noSuch } from '../../errors.ts';
import type { PatchRows } from '../../parse/patch-row-reader.ts';
import type { ChangedFile } from '../../parse/text-page-reader.ts';
import type { Repository } from '../../repository.ts';
import { readDiffPage } from './diff-page.ts';

/** A page of the files that a comparison finds changed. */
export interface ChangedFilesPage {
  /** The commit that is compared with its first parent. */
  readonly commit?: Commit;
  readonly files: readonly ChangedFile[];
  readonly nextCursor?: string | undefined;
}

/** Reads a page of the changed files with their counts of lines. Throws `NotFoundError` for no commit. */
export async function readChangedFiles(
  repository: Repository,
  of: Compared,
  { paths = [], cursor }: { readonly paths?: readonly string[]; readonly cursor?: string | undefined } = {},
): Promise<ChangedFilesPage> {
  if (typeof of === 'string' || 'target' in of) {
    const { files = [], nextCursor } = await readDiffPage(
      repository,
      { of, paths, stat: true, rows: true },
      cursor,
    );
    return { files, nextCursor };
  }
  const { top } = await repository.layout();
  const options = { paths: workTreePaths(paths, top), stat: true, rows: true, cursor };
  const page = await repository.run(showCommit(`${of.commit}^{commit}`, options));
  if (page) return { commit: page.commit, files: page.diff.files ?? [], nextCursor: page.diff.nextCursor };
  // Git prints nothing for a commit that changes none of the paths.
  const whole = await repository.run(showCommit(`${of.commit}^{commit}`, { stat: true }));
  if (!whole) throw noSuch('revision', of.commit);
  return { commit: whole.commit, files: [] };
}

/** Reads a part of the rows of the patch of one file. `paths` are relative to the top. */
export async function readPatchRows(
  repository: Repository,
  { paths, ...options }: PatchRowsOptions,
): Promise<PatchRows> {
  const { top } = await repository.layout();
  return repository.run(patchRows({ ...options, paths: workTreePaths(paths, top) }));
}
