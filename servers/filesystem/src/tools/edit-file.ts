import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Edited } from '../backend/edit/edit-file.ts';
import type { Filesystem } from '../context.ts';

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces pieces of a text file, each of which must occur exactly once unless count says otherwise; all or none. ' +
    'Returns a unified diff. Keeps every other byte.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.strictObject({
    path: z.string(),
    edits: z
      .array(
        z.object({
          oldText: z.string().min(1).describe('Text to replace, with enough context to be unique'),
          newText: z.string().describe('Replacement'),
          count: z
            .int()
            .min(0)
            .optional()
            .describe('Exact number of occurrences to replace; 0: all; default 1'),
        }),
      )
      .min(1)
      .describe('Applied one after the other'),
    dryRun: z.boolean().default(false).describe('Only return the diff'),
    expectedHash: z.string().optional().describe('Fail unless the file has this SHA-256'),
  }),

  async run({ path, edits, dryRun, expectedHash }, { sandbox }: Filesystem) {
    return report(await sandbox.edit(path, edits, { dryRun, expectedHash }), dryRun);
  },
});

function report(edited: Edited, dryRun: boolean): string {
  const { path, diff, applied, hash, hashBefore, detachedHardLinks, inPlace } = edited;
  const occurrences = applied.reduce((sum, each) => sum + each.occurrences, 0);
  const tolerant = applied.filter(({ match }) => match === 'tolerant').map(({ line }) => line);
  return [
    diff || `No change: ${displayName(path)} already has this content`,
    ...(occurrences > applied.length ? [`Occurrences replaced: ${occurrences}`] : []),
    ...(tolerant.length > 0 ? [`Matched apart from white space at line ${tolerant.join(', ')}`] : []),
    ...(detachedHardLinks > 0 ? [`Other hard links, which keep the old content: ${detachedHardLinks}`] : []),
    ...(inPlace ? ['Overwritten in place, because its directory allows no replacement'] : []),
    dryRun ? `Dry run: nothing was written; the SHA-256 of the file is ${hashBefore}` : `SHA-256: ${hash}`,
  ].join('\n');
}
