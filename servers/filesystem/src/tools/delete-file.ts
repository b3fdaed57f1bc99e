import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { counted, displayName, leafKinds, leftOutLines, outermostPaths } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { globInPath, severalPaths } from '../input/several-paths.ts';
import { forEachPath } from '../input/for-each-path.ts';
import { firstLines, maxListed } from '../text/capped-lines.ts';

export const deleteFile = defineTool({
  name: 'delete_file',
  title: 'Delete file',
  description:
    'Deletes a file, an empty directory, or, when recursive, a directory with its content; a symlink itself, not its ' +
    'target. Cannot be undone.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.strictObject({
    path: z.string().optional(),
    paths: severalPaths.describe('Instead of path'),
    glob: globInPath.describe('All files in path that match; when recursive, directories too'),
    recursive: z.boolean().optional(),
    dryRun: z.boolean().optional().describe('Only list what would be deleted'),
  }),

  async run(args, call: Call<Filesystem>) {
    const { glob, recursive, dryRun } = args;
    const selected = await call.context.sandbox.select(args, {
      signal: call.signal,
      gitignored: true,
      repositories: 'count',
      kinds: recursive ? undefined : leafKinds,
    });
    const { leftOut, leftOutIn } = selected;
    const kept = selected.paths.filter((path) => leftOutIn?.has(path));
    const deleted = selected.paths.filter((path) => !leftOutIn?.has(path));
    const paths = glob === undefined ? deleted : outermostPaths(deleted);
    const notes = [...leftOutLines(leftOut), ...keptLines(kept)];
    if (dryRun) return preview(paths, notes);
    const { sandbox } = call.context;
    const { signal, progress } = call;
    let inside = 0;
    if (selected.isOne) {
      const { path, count } = await sandbox.delete(paths[0]!, { recursive, signal, progress });
      const content = count > 1 ? ` and ${entries(count - 1)} in it` : '';
      return `Permanently deleted ${sandbox.shownPath(path)}${content}`;
    }
    const options = { done: 'Permanently deleted', isListed: glob !== undefined, notes };
    const said = await forEachPath(paths, call, options, async (path) => {
      const { count } = await sandbox.delete(path, { recursive, signal });
      inside += count - 1;
      return undefined;
    });
    return inside > 0 ? `${said} and ${entries(inside)} in them` : said;
  },
});

/** Returns a line with the matching directories that contain entries which were left out. */
function keptLines(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, maxListed).map((path) => displayName(path));
  const more = paths.length > shown.length ? `, … ${paths.length - shown.length} more` : '';
  return [`Not deleted, because they contain what was left out: ${shown.join(', ')}${more}`];
}

function preview(paths: readonly string[], notes: readonly string[]): string {
  return [
    ...firstLines(paths.map(displayName), 1_000),
    ...notes,
    `Dry run: nothing was deleted; ${counted(paths.length, 'path')} would be, permanently`,
  ].join('\n');
}

function entries(count: number): string {
  return counted(count, 'entry', 'entries');
}
