import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { attachment, cutNote } from '../text/attachment.ts';

export const reviewFile = definePrompt({
  name: 'review_file',
  title: 'Review a file',
  description: 'Requests a review of a file, with the file attached.',

  inputSchema: z.object({
    path: z.string().describe('File to review'),
    focus: z.string().optional().describe('What to look at in particular'),
  }),
  complete: { path: (typed, { context: { sandbox } }: Call<Filesystem>) => sandbox.complete(typed) },

  async run({ path, focus }, { context: { sandbox } }: Call<Filesystem>) {
    const read = await sandbox.readText(path);
    return [
      userMessage(
        `Review the file ${displayName(read.path)}: say what is wrong, what is risky and what could be simpler, most important ` +
          `first, each with its line and what to do about it.${cutNote(read)}`,
      ),
      attachment(read),
      ...(focus === undefined ? [] : [userMessage(`Look at this in particular: ${focus}`)]),
    ];
  },
});
