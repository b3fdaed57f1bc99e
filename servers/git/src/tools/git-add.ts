import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { workTreePaths } from '../backend/access/work-tree-path.ts';
import { stageFiles } from '../backend/actions/stage-files.ts';
import { stageLines } from '../backend/actions/stage-lines.ts';
import { untrack, type Untracked } from '../backend/actions/untrack.ts';
import { listedPath } from '../backend/display-name.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';

export const gitAdd = defineTool({
  name: 'git_add',
  title: 'Stage files',
  description: 'Stages files, including deleted ones; "." stages all.',
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    files: z.array(z.string()).min(1).describe('Paths; patterns are literal'),
    untrack: z.boolean().default(false).describe('Stop tracking; the files stay'),
    lines: z
      .array(z.string())
      .min(1)
      .max(1_000)
      .optional()
      .describe(
        'Only these changes of the one file: @@ headers of its unstaged diff, or lines as +10-12, -7',
      ),
    index: z.string().optional().describe('For lines: "a1b2..c3d4" from the index line of that diff'),
  }),

  async run({ repo_path, files, untrack: stopsTracking, lines, index }, { repositories }: Git, { signal }) {
    const repository = repositories.at(repo_path);
    const { top } = await repository.layout();
    const paths = workTreePaths(files, top);
    if (lines && (stopsTracking || paths.length !== 1))
      throw new Error('Invalid lines: expected exactly one file, and no untrack');
    if (stopsTracking) {
      const was = await untrack(repository, paths, { signal });
      return `Not tracked from the next commit on; ${undoOfUntrack(was)}`;
    }
    if (lines) {
      const { count, before } = await stageLines(repository, paths[0]!, { lines, index }, { signal });
      const source = before === undefined ? '' : ` and source ${before.slice(0, 10)}`;
      return `Staged ${count} changed lines; git_restore with staged${source} undoes it`;
    }
    await repository.withLock(() => stageFiles(repository, paths, { signal }));
    return 'Staged';
  },
});

/** The call that tracks the files again as they were. */
function undoOfUntrack({ unstaged, staged, deleted, lost }: Untracked): string {
  const named = (paths: readonly string[]) =>
    paths.slice(0, maxNamed).map(listedPath).join(', ') + (paths.length > maxNamed ? ', …' : '');
  if (lost.length > 0 || staged.length > maxNamed || (staged.length > 0 && unstaged.length > maxNamed))
    return `no call undoes it for what was staged or in conflict: ${named([...lost, ...staged])}`;
  if (staged.length === 0) {
    if (deleted.length === 0) return 'git_restore with staged undoes it';
    if (unstaged.length <= maxNamed) return `git_restore with staged of ${named(unstaged)} undoes it`;
    return `git_restore with staged undoes it, and unstages the deletion of ${named(deleted)}`;
  }
  if (unstaged.length === 0) return `git_add of ${named(staged)} undoes it`;
  return `to undo it, git_restore with staged restores ${named(unstaged)}, git_add ${named(staged)}`;
}

const maxNamed = 20;
