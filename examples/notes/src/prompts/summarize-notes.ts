import {
  type Call,
  definePrompt,
  embeddedResource,
  type PromptMessage,
  textResourceContents,
  userMessage,
} from '@mcp/protocol';
import * as z from 'zod';
import type { Notes } from '../context.ts';
import { mimeType, uriOf } from '../input/note-uri.ts';

export const summarizeNotes = definePrompt({
  name: 'summarize_notes',
  title: 'Summarize notes',
  description: 'Asks for a summary of all notes, with the notes attached.',
  inputSchema: z.object({ style: z.string().optional().describe('Such as "three bullet points"') }),

  async run({ style = 'one paragraph' }, { context: { book } }: Call<Notes>) {
    const notes: PromptMessage[] = [];
    for await (const { name, text } of book.all())
      notes.push(userMessage(embeddedResource(textResourceContents(uriOf(name), text, mimeType))));
    return [userMessage(`Summarize these ${notes.length} notes in ${style}.`), ...notes];
  },
});
