import { SymlinkedPaths } from '../../access/symlinked-paths.ts';
import { workTreePath } from '../../access/work-tree-path.ts';
import { blame, type BlameHunk, type BlameOptions } from '../../commands/history/blame.ts';
import { quoted } from '../../safe-text.ts';
import type { Repository } from '../../repository.ts';

/** Finds the commit that last changed each line of a range. Throws for a file that is beyond a symlink. */
export async function readBlame(
  repository: Repository,
  { path, revision, range }: BlameOptions,
): Promise<BlameHunk[]> {
  const { top } = await repository.layout();
  const inside = workTreePath(path, top);
  if (revision === undefined && new SymlinkedPaths(top).has(Buffer.from(inside)))
    throw new Error(`No such file, or beyond a symlink: ${quoted(path)}`);
  return repository.run(blame({ path: inside, revision, range }));
}
