import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { counted, displayName, type KeptChange, leafKinds, leftOutLines, outermostPaths } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';
import { globInPath, severalPaths } from '../input/several-paths.ts';
import { type EachPathOptions, forEachPath } from '../input/for-each-path.ts';
import { keepArgument, restoring } from '../input/keeping.ts';
import { fittingLines } from '../text/bounds.ts';
import { firstLines, maxListed } from '../text/capped-lines.ts';

const input = z.strictObject({
  path: z.string().optional(),
  paths: severalPaths.describe('Instead of path'),
  glob: globInPath.describe('All files in path that match; when recursive, directories too'),
  recursive: z.boolean().optional(),
  dryRun: z.boolean().optional().describe('Only list what would be deleted'),
});

type Input = z.infer<typeof input> & { readonly keep?: boolean | undefined };

export const deleteFile = (keeps: boolean) =>
  defineTool({
    name: 'delete_file',
    title: 'Delete file',
    description:
      'Deletes a file, an empty directory, or, when recursive, a directory with its content; a symlink itself, not its ' +
      `target. ${keeps ? 'restore_file brings it back.' : 'Cannot be undone.'}`,
    annotations: { destructiveHint: true, openWorldHint: false },
    inputSchema: keeps ? input.extend(keepArgument) : input,
    interpret: interpretNames(),

    async run(args: Input, call: Call<Filesystem>): Promise<string> {
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
      const isKept = keeps && args.keep !== false;
      if (dryRun) return preview(paths, notes, isKept);
      const done = isKept ? 'Deleted' : 'Permanently deleted';
      return await restoring(call.context.sandbox, 'delete_file', args.keep, async (change) =>
        selected.isOne
          ? [await deleteOne(paths[0]!, args, done, change, call)]
          : [await deleteSeveral(paths, args, { done, isListed: glob !== undefined, notes }, change, call)],
      );
    },
  });

async function deleteOne(
  requestedPath: string,
  { recursive }: Input,
  done: string,
  kept: KeptChange | undefined,
  { context: { sandbox }, signal, progress }: Call<Filesystem>,
): Promise<string> {
  const { path, count } = await sandbox.delete(requestedPath, { recursive, kept, signal, progress });
  const content = count > 1 ? ` and ${entries(count - 1)} in it` : '';
  return `${done} ${sandbox.shownPath(path)}${content}`;
}

async function deleteSeveral(
  paths: readonly string[],
  { recursive }: Input,
  options: EachPathOptions,
  kept: KeptChange | undefined,
  call: Call<Filesystem>,
): Promise<string> {
  let inside = 0;
  const said = await forEachPath(paths, call, options, async (path) => {
    const { count } = await call.context.sandbox.delete(path, { recursive, kept, signal: call.signal });
    inside += count - 1;
    return undefined;
  });
  return inside > 0 ? `${said} and ${entries(inside)} in them` : said;
}

/**
 * Returns a line with the matching directories that are not deleted, because they contain entries that the
 * glob skips.
 */
function keptLines(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, maxListed).map((path) => displayName(path));
  shown.splice(fittingLines(shown, maxInLine));
  const more = paths.length > shown.length ? `, … ${paths.length - shown.length} more` : '';
  return [`Not deleted, because they contain entries that are left out: ${shown.join(', ')}${more}`];
}

/** The maximum number of characters of the list of a dry run, and of a list in a line. */
const maxPreviewLength = 28_000;
const maxInLine = 4_000;

function preview(paths: readonly string[], notes: readonly string[], isKept: boolean): string {
  return [
    ...firstLines(paths.map(displayName), 1_000, maxPreviewLength),
    ...notes,
    `Dry run: nothing was deleted; ${counted(paths.length, 'path')} would be${isKept ? '' : ', permanently'}`,
  ].join('\n');
}

function entries(count: number): string {
  return counted(count, 'entry', 'entries');
}
