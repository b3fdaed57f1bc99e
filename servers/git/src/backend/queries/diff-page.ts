import { workTreePaths } from '../access/work-tree-path.ts';
import { diff, type DiffOptions } from '../commands/diff.ts';
import type { TextPage } from '../commands/text-page-reader.ts';
import type { CallOptions, Repository } from '../repository.ts';
import { assertInDiff } from './assert-paths.ts';

/**
 * Reads a page of a diff. The paths are those of a client, relative to the top of the work tree. Throws
 * `NotFoundError` for one that is on no side.
 */
export async function readDiffPage(
  repository: Repository,
  options: DiffOptions,
  cursor: string | undefined,
  call: CallOptions,
): Promise<TextPage> {
  const { top } = await repository.layout();
  const paths = workTreePaths(options.paths ?? [], top);
  const page = await repository.run(diff({ ...options, paths }, cursor), call);
  if (cursor === undefined) await assertInDiff(repository, paths, options.of, call);
  return page;
}
