import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '../backend/display-name.ts';
import type { Edited } from '../backend/edit/edit-file.ts';
import type { Filesystem } from '../context.ts';

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces pieces of a text file, each of which must stand there exactly once; all of them or none. ' +
    'Answers with a unified diff. Every other byte stays as it is.',
  annotations: { destructiveHint: true, openWorldHint: false },

  inputSchema: z.strictObject({
    path: z.string(),
    edits: z
      .array(
        z.object({
          oldText: z.string().min(1).describe('Text to replace, with enough around it to be unique'),
          newText: z.string().describe('What to put in its place'),
        }),
      )
      .min(1)
      .describe('Applied one after the other'),
    dryRun: z.boolean().default(false).describe('Only show the diff'),
    expectedHash: z.string().optional().describe('Refuse unless the content has this SHA-256'),
  }),

  async run({ path, edits, dryRun, expectedHash }, { sandbox }: Filesystem) {
    return report(await sandbox.edit(path, edits, { dryRun, expectedHash }), dryRun);
  },
});

function report(edited: Edited, dryRun: boolean): string {
  const { path, diff, applied, hash, hashBefore, detachedHardLinks, inPlace } = edited;
  const tolerant = applied.filter(({ match }) => match === 'tolerant').map(({ line }) => line);
  return [
    diff || `No change: ${displayName(path)} already reads like that`,
    ...(tolerant.length > 0 ? [`Matched but for white space at line ${tolerant.join(', ')}`] : []),
    ...(detachedHardLinks > 0 ? [`Other hard links, which keep the old content: ${detachedHardLinks}`] : []),
    ...(inPlace ? ['Overwritten in place, because its directory allows no replacement'] : []),
    dryRun ? `Dry run: nothing was written; the SHA-256 of the file is ${hashBefore}` : `SHA-256: ${hash}`,
  ].join('\n');
}
