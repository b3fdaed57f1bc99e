import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { counted, displayName, type Edited, type KeptChange } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { interpretEdits } from '../input/edit-names.ts';
import { keepArgument, restoring } from '../input/keeping.ts';
import { globInPath, severalPaths } from '../input/several-paths.ts';
import { fittingLines, maxResultSize } from '../text/bounds.ts';
import { cappedLines, firstLines } from '../text/capped-lines.ts';
import { replacementNotes } from '../text/replacement-notes.ts';
import { undo } from '../text/undo.ts';
import { filesView } from '../views.ts';

const line = z.int().min(0).optional();

const input = z.strictObject({
  path: z.string().optional(),
  paths: severalPaths.describe('Instead of path'),
  glob: globInPath.describe('All files in path that match'),
  edits: z
    .array(
      z.strictObject({
        oldText: z
          .string()
          .min(1)
          .optional()
          .describe('Text that occurs once, or count times; without it, startLine to endLine are replaced'),
        newText: z.string().describe('With regex, $1 and $<name> are groups'),
        count: z
          .int()
          .min(0)
          .optional()
          .describe('How often oldText occurs in each file; 0: any number; default 1'),
        regex: z.boolean().optional().describe('oldText is a JavaScript regex'),
        startLine: line.describe('Only from this line'),
        endLine: line.describe('Only to this line; startLine - 1: insert before startLine'),
        path: z.string().optional().describe('File of this edit, if edits are in several files'),
      }),
    )
    .min(1)
    .describe('Applied one after the other'),
  dryRun: z.boolean().optional().describe('Only return the diff'),
  maxDiff: z.int().min(0).optional().describe('Characters of diff to return'),
  expectedHash: z
    .string()
    .optional()
    .describe('SHA-256 of the file, or hash from the dry run; fails if no longer the same'),
});

type Input = z.infer<typeof input> & { readonly keep?: boolean | undefined };

/**
 * The default maximum number of characters of the diff that a dry run with many replacements returns. Without
 * a dry run, only counts are returned.
 */
const defaultDryRunDiff = 4_000;
const maxListedFiles = 5;
/** The maximum number of characters of the list of files of a dry run. */
const maxFilesLength = 12_000;
/** The maximum number of characters of a list in a line. */
const maxInLine = 4_000;

export const editFile = (keeps: boolean) =>
  defineTool({
    name: 'edit_file',
    title: 'Edit file',
    description:
      'Replaces text or lines in text files; all edits in all files or none. Returns a unified diff, or only counts for ' +
      'many replacements. All other bytes stay the same.',
    annotations: { destructiveHint: true, openWorldHint: false },
    inputSchema: keeps ? input.extend(keepArgument) : input,
    interpret: interpretEdits,
    view: filesView,
    _meta: maxResultSize,

    async run(args: Input, call: Call<Filesystem>): Promise<string> {
      return await restoring(call.context.sandbox, 'edit_file', args.keep, (kept) => edit(args, kept, call));
    },
  });

async function edit(
  args: Input,
  kept: KeptChange | undefined,
  { context, signal, progress }: Call<Filesystem>,
): Promise<string[]> {
  const { dryRun, expectedHash } = args;
  const byPath = editsByPath(args);
  const named = byPath && [...byPath.keys()];
  const path = named?.length === 1 ? named[0] : args.path;
  const edits = byPath && named!.length > 1 ? (each: string) => byPath.get(each)! : args.edits;
  const isSelected = args.paths !== undefined || args.glob !== undefined;
  const one = isSelected || typeof edits === 'function' ? undefined : path;
  const paths =
    one ??
    (typeof edits === 'function'
      ? named!
      : (await context.sandbox.select(args, { kinds: ['file'], signal })).paths);
  const isBulk = one === undefined || args.edits.some(({ count = 1 }) => count !== 1);
  const edited = await context.sandbox.edit(paths, edits, {
    dryRun,
    expectedHash,
    maxDiff: args.maxDiff ?? (isBulk ? (dryRun ? defaultDryRunDiff : 0) : undefined),
    isLenient: args.glob !== undefined,
    kept,
    signal,
    progress: one === undefined ? progress : undefined,
  });
  const isKept = kept?.id !== undefined;
  return one === undefined ? reportSeveral(edited, args, isKept) : reportOne(edited, args, context, isKept);
}

/** Returns the edits of each file if the edits name files; undefined if no edit names a file. */
function editsByPath({ path, paths, glob, edits }: Input): Map<string, Input['edits']> | undefined {
  if (edits.every((each) => each.path === undefined)) return undefined;
  if (paths !== undefined || glob !== undefined)
    throw new Error('Give each edit a path, or give paths or glob for all edits, not both');
  const byPath = new Map<string, Input['edits']>();
  for (const each of edits) {
    const file = each.path ?? path;
    if (file === undefined)
      throw new Error('Give each edit a path, or give "path" for the edits that have none');
    byPath.set(file, [...(byPath.get(file) ?? []), each]);
  }
  return byPath;
}

function reportOne(
  edited: Edited,
  { dryRun, expectedHash }: Input,
  { sandbox }: Filesystem,
  isKept: boolean,
): string[] {
  const { diff, files, changed, occurrences, hash, detachedHardLinks, inPlace, isReversible } = edited;
  const { applied, realPath } = files[0]!;
  const tolerant = applied.flatMap((each) => (each?.match === 'tolerant' ? [each.line] : []));
  return [
    ...(changed ? [] : [`No change: ${sandbox.shownPath(realPath)} already has this content`]),
    ...(diff === '' ? [] : [diff]),
    ...(occurrences > applied.length || (changed && diff === '')
      ? [`Occurrences replaced: ${occurrences}`]
      : []),
    ...(tolerant.length > 0
      ? [`Matched with other white space than in oldText at line ${tolerant.join(', ')}`]
      : []),
    ...replacementNotes(detachedHardLinks, inPlace.items[0]?.reason ?? false),
    ...(dryRun ? [`Dry run: nothing was written; the SHA-256 of the file is ${hash}`] : []),
    ...(!dryRun && expectedHash !== undefined ? [`SHA-256: ${hash}`] : []),
    // A diff already shows how to reverse the edit.
    ...(!dryRun && isReversible && diff === '' && !isKept ? [exchange(expectedHash, detachedHardLinks)] : []),
  ];
}

function reportSeveral(edited: Edited, { dryRun, expectedHash }: Input, isKept: boolean): string[] {
  const { files, occurrences, unmatched, skipped, diff, isDiffCut, isReversible } = edited;
  const listed = dryRun ? files : files.slice(0, maxListedFiles);
  const more = files.length - listed.length;
  const done = dryRun ? 'Would replace' : 'Replaced';
  return [
    ...(diff === '' ? [] : [diff]),
    ...(isDiffCut ? ['… the diff is cut; set maxDiff to see more'] : []),
    ...firstLines(
      listed.map(({ path, occurrences: count }) => `${count} ${displayName(path)}`),
      Infinity,
      maxFilesLength,
    ),
    ...(more > 0 ? [`… ${counted(more, 'more file')}`] : []),
    ...unmatchedLines(unmatched),
    ...cappedLines(skipped, ({ path, reason }) => `Skipped ${displayName(path)}: ${reason}`),
    `${done} ${counted(occurrences, 'occurrence')} in ${counted(files.length, 'file')}`,
    ...replacementNotes(edited.detachedHardLinks, false),
    ...cappedLines(
      edited.inPlace,
      ({ path, reason }) => `${displayName(path)}: ${replacementNotes(0, reason)[0]}`,
    ),
    ...(dryRun
      ? [`Dry run: nothing was written; for exactly these changes, give expectedHash ${edited.hash}`]
      : []),
    ...(!dryRun && isReversible && !isKept ? [exchange(expectedHash, edited.detachedHardLinks)] : []),
  ];
}

/**
 * Returns the line that says how to reverse an edit. If the edit has separated the file from other hard
 * links, reversing does not join them again.
 */
function exchange(expectedHash: string | undefined, detachedHardLinks: number): string {
  const without = expectedHash === undefined ? '' : ', without expectedHash';
  const links = detachedHardLinks > 0 ? '; other hard links of the file keep the earlier content' : '';
  return undo(`edit_file with oldText and newText exchanged${without}${links}`);
}

function unmatchedLines({ items, total }: Edited['unmatched']): string[] {
  if (total === 0) return [];
  const shown = items.map(displayName);
  shown.splice(fittingLines(shown, maxInLine));
  const more = total > shown.length ? `, … ${total - shown.length} more` : '';
  return [`oldText does not occur in: ${shown.join(', ')}${more}`];
}
