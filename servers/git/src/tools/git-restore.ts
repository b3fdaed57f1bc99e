import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { requireConfirmation, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { listedPath, quoted } from '../backend/display-name.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { unmergedStages } from '../backend/commands/conflicts.ts';
import { changedPaths, restore } from '../backend/commands/staging.ts';
import { restoreStagedBlob } from '../backend/actions/restore-staged-blob.ts';
import { resolvedByHand, untouchedConflicts } from '../backend/queries/resolved-conflicts.ts';
import { takeSide, type Side } from '../backend/actions/take-side.ts';
import { pathsInTheWay } from '../backend/access/path-in-the-way.ts';
import { untrackedAmong } from '../backend/commands/tree-paths.ts';
import { readSmallFile } from '../backend/read-small-file.ts';
import type { CallOptions, Repository } from '../backend/repository.ts';
import { SymlinkedPaths } from '../backend/access/symlinked-paths.ts';
import { workTreePaths } from '../backend/access/work-tree-path.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitRestore = defineTool({
  name: 'git_restore',
  title: 'Restore paths',
  description: 'Restores files from the index or a revision; with staged, unstages them.',
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    paths: z.array(z.string()).min(1),
    staged: z.boolean().default(false),
    source: z.string().optional().describe('Revision; with staged also a blob'),
    side: z.enum(['ours', 'theirs', 'conflict']).optional().describe('Resolve by a side, or undo that'),
  }),

  async run({ repo_path, paths, staged, source, side }, { repositories }: Git, call) {
    if (side && (staged || source !== undefined))
      throw new Error('Invalid arguments: side takes no staged and no source');
    const from = source === undefined ? undefined : checkRevision(source);
    const repository = repositories.at(repo_path);
    const { top } = await repository.layout();
    const inside = workTreePaths(paths, top);
    const lost = staged ? [] : await lostFiles(repository, inside, { source: from, side }, call);
    const conflict =
      staged || from !== undefined || side ? undefined : await conflictIn(repository, inside, call);
    if (conflict !== undefined)
      throw new Error(`In conflict: ${quoted(conflict)}; side ours or theirs takes a side of it`);
    if (lost.length > 0) {
      const names = lost.slice(0, 5).map(quoted).join(', ') + (lost.length > 5 ? ', …' : '');
      const question = await requireConfirmation(
        call,
        `Discard the changes in ${names} of ${repository.root}?`,
      );
      if (question) return question;
    }
    if (side) {
      const taken = await takeSide(repository, inside, side, call);
      return side === 'conflict'
        ? 'Restored the conflict'
        : `Took ${side}, staged; ${undoOfSide(inside, taken)}`;
    }
    if (staged && from !== undefined && (await restoreStagedBlob(repository, from, inside, call)))
      return 'Staged';
    await repository.run(restore({ paths: inside, staged, source: from }), { signal: call.signal });
    return staged ? 'Unstaged' : 'Restored';
  },
});

/** The first file in conflict, which git does not restore. */
async function conflictIn(
  repository: Repository,
  paths: readonly string[],
  { signal }: CallOptions,
): Promise<string | undefined> {
  const [first] = (await repository.run(unmergedStages(paths), { signal })).keys();
  return first;
}

/** A directory may also contain conflicts that were resolved before. */
function undoOfSide(given: readonly string[], taken: readonly string[]): string {
  if (taken.every((path) => given.includes(path))) return 'side conflict undoes it';
  if (taken.length > maxNamed) return 'side conflict undoes it for one file at a time';
  return `side conflict of ${taken.map(listedPath).join(', ')} undoes it`;
}

const maxNamed = 20;

/** The files whose content would be lost: it is changed, and neither staged nor the mere conflict. */
async function lostFiles(
  repository: Repository,
  paths: readonly string[],
  { source, side }: { readonly source?: string | undefined; readonly side?: Side | undefined },
  { signal }: CallOptions,
): Promise<string[]> {
  const { top } = await repository.layout();
  const changed = await repository.run(changedPaths(paths, source !== undefined), { signal });
  // A path beyond a symlink is not in the work tree.
  const linked = new SymlinkedPaths(top);
  const inside = changed.filter((path) => !linked.has(Buffer.from(path)));
  const existing = inside.filter((path) => lstatSync(join(top, path), { throwIfNoEntry: false }));
  if (side === 'conflict') {
    const resolved = await resolvedByHand(repository, paths, { signal });
    return [...new Set([...existing, ...resolved])];
  }
  if (side === undefined) {
    const parents = pathsInTheWay(top, [...paths, ...changed]).filter(
      (path) => !paths.includes(path) && !changed.includes(path),
    );
    if (parents.length === 0) return existing;
    return [...existing, ...(await repository.run(untrackedAmong(parents), { signal }))];
  }
  const untouched = await untouchedConflicts(repository, existing, { signal });
  return existing.filter((path) => !(untouched?.has(path) ?? hasMarkers(join(top, path))));
}

/** Whether a file still has the markers of a conflict, so that its resolution has not begun. */
function hasMarkers(path: string): boolean {
  const text = readSmallFile(path)?.toString('latin1') ?? '';
  return /^<<<<<<< /m.test(text) && /^>>>>>>> /m.test(text);
}
