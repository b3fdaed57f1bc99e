import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Edited } from '../backend/edit/edit-file.ts';
import type { EditedFiles } from '../backend/edit/edit-files.ts';
import type { Filesystem } from '../context.ts';
import { globInPath, selectPaths, severalPaths } from '../input/select-paths.ts';
import { cappedLines } from '../text/capped-lines.ts';
import { counted } from '../text/counted.ts';
import { replacementNotes } from '../text/replacement-notes.ts';
import { undo } from '../text/undo.ts';

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
          .describe('Text to replace, unique without count; missing: the lines'),
        newText: z.string().describe('With regex, $1 and $<name> are groups'),
        count: z.int().min(0).optional().describe('Exact occurrences per file; 0: all; default 1'),
        regex: z.boolean().optional().describe('oldText is a JavaScript regex'),
        startLine: line.describe('Only from this line'),
        endLine: line.describe('Only to this line; startLine - 1 inserts'),
      }),
    )
    .min(1)
    .describe('Applied one after the other'),
  dryRun: z.boolean().optional().describe('Only return the diff'),
  maxDiff: z.int().min(0).optional().describe('Characters of diff to return'),
  expectedHash: z
    .string()
    .optional()
    .describe('Fail unless unchanged: SHA-256 of the file, or from the dry run'),
});

type Input = z.infer<typeof input>;

/** Characters of diff that a dry run of many replacements returns; a real one returns counts only. */
const defaultDryRunDiff = 4_000;
const maxListedFiles = 5;

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces text or lines in text files; all edits in all files or none. Returns a unified diff, or counts of many ' +
    'replacements. Keeps every other byte.',
  annotations: { destructiveHint: true, openWorldHint: false },
  inputSchema: input,

  run(args, context: Filesystem, call): Promise<string> {
    const { path, paths, glob } = args;
    if (path !== undefined && paths === undefined && glob === undefined)
      return editOne({ ...args, path }, context, call);
    return editSeveral(args, context, call);
  },
});

async function editOne(
  { path, edits, dryRun = false, maxDiff, expectedHash }: Input & { path: string },
  { sandbox }: Filesystem,
  { signal }: Call,
): Promise<string> {
  const isBulk = edits.some(({ count = 1 }) => count !== 1);
  const diffLength = maxDiff ?? (isBulk ? (dryRun ? defaultDryRunDiff : 0) : undefined);
  const edited = await sandbox.edit(path, edits, { dryRun, expectedHash, maxDiff: diffLength, signal });
  const shown = sandbox.shownPath(edited.path);
  return report(edited, shown, { dryRun, expectedHash });
}

function report(
  edited: Edited,
  shown: string,
  { dryRun, expectedHash }: { dryRun: boolean; expectedHash: string | undefined },
): string {
  const { diff, applied, changed, hash, hashBefore, detachedHardLinks, inPlace, isReversible } = edited;
  const occurrences = applied.reduce((sum, each) => sum + each.occurrences, 0);
  const tolerant = applied.filter(({ match }) => match === 'tolerant').map(({ line: at }) => at);
  return [
    ...(changed ? (diff === '' ? [] : [diff]) : [`No change: ${shown} already has this content`]),
    ...(occurrences > applied.length || (changed && diff === '')
      ? [`Occurrences replaced: ${occurrences}`]
      : []),
    ...(tolerant.length > 0 ? [`Matched apart from white space at line ${tolerant.join(', ')}`] : []),
    ...replacementNotes(detachedHardLinks, inPlace),
    ...(dryRun ? [`Dry run: nothing was written; the SHA-256 of the file is ${hashBefore}`] : []),
    ...(!dryRun && expectedHash !== undefined ? [`SHA-256: ${hash}`] : []),
    // A diff shows it already.
    ...(!dryRun && isReversible && diff === '' ? [exchange(expectedHash, detachedHardLinks)] : []),
  ].join('\n');
}

/** The call that reverses an edit. Detached hard links still have the content before the edit. */
function exchange(expectedHash: string | undefined, detachedHardLinks: number): string {
  const without = expectedHash === undefined ? '' : ', without expectedHash';
  const links = detachedHardLinks > 0 ? '; hard links stay detached' : '';
  return undo(`exchange oldText and newText${without}${links}`);
}

async function editSeveral(args: Input, context: Filesystem, call: Call): Promise<string> {
  const { edits, dryRun, expectedHash, glob } = args;
  const { paths } = await selectPaths(args, context, call, { kinds: ['file'] });
  const { signal, progress } = call;
  const edited = await context.sandbox.editFiles(paths, edits, {
    dryRun,
    expectedHash,
    maxDiff: args.maxDiff ?? (dryRun ? defaultDryRunDiff : 0),
    isLenient: glob !== undefined,
    signal,
    progress,
  });
  return reportSeveral(edited, args);
}

function reportSeveral(edited: EditedFiles, { dryRun, maxDiff, expectedHash }: Input): string {
  const { files, occurrences, unmatched, skipped, diff, isDiffCut, isReversible } = edited;
  const listed = dryRun ? files : files.slice(0, maxListedFiles);
  const more = files.length - listed.length;
  const done = dryRun ? 'Would replace' : 'Replaced';
  return [
    ...(diff === '' ? [] : [diff]),
    ...(isDiffCut && (dryRun || maxDiff !== undefined) ? ['… the diff is cut; see maxDiff'] : []),
    ...listed.map(({ path, occurrences: count }) => `${count} ${displayName(path)}`),
    ...(more > 0 ? [`… ${counted(more, 'more file')}`] : []),
    ...unmatchedLines(unmatched),
    ...cappedLines(skipped, ({ path, reason }) => `Skipped ${displayName(path)}: ${reason}`),
    `${done} ${counted(occurrences, 'occurrence')} in ${counted(files.length, 'file')}`,
    ...replacementNotes(edited.detachedHardLinks, false),
    ...cappedLines(
      edited.inPlace,
      ({ path, reason }) => `${displayName(path)}: ${replacementNotes(0, reason)[0]}`,
    ),
    ...(dryRun ? [`Dry run: nothing was written; expectedHash for exactly this: ${edited.hash}`] : []),
    ...(!dryRun && isReversible ? [exchange(expectedHash, edited.detachedHardLinks)] : []),
  ].join('\n');
}

function unmatchedLines({ items, total }: EditedFiles['unmatched']): string[] {
  if (total === 0) return [];
  const more = total > items.length ? `, … ${total - items.length} more` : '';
  return [`Without occurrence: ${items.map(displayName).join(', ')}${more}`];
}
