import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import { displayName } from '@mcp/sandbox';
import type { Filesystem } from '../context.ts';
import { attachment, cutNote } from '../text/attachment.ts';

export const explainFile = definePrompt({
  name: 'explain_file',
  title: 'Explain a file',
  description: 'Requests an explanation of a file, with the file attached.',

  inputSchema: z.object({
    path: z.string().describe('File to explain'),
    question: z.string().optional().describe('What to explain in particular'),
  }),
  complete: { path: (typed, { context: { sandbox } }: Call<Filesystem>) => sandbox.complete(typed) },

  async run({ path, question }, { context: { sandbox } }: Call<Filesystem>) {
    const read = await sandbox.readText(path);
    return [
      userMessage(
        `Explain the file ${displayName(read.path)}: what it is for, how it works, and what to know before changing it.${cutNote(read)}`,
      ),
      attachment(read),
      ...(question === undefined ? [] : [userMessage(question)]),
    ];
  },
});
