import { definePrompt, embedded, type PromptMessage, textContents, user } from '@mcp/protocol';
import * as z from 'zod';
import type { Notes } from '../context.ts';
import { mimeType, uriOf } from '../input/note-uri.ts';

export const summarizeNotes = definePrompt({
  name: 'summarize_notes',
  title: 'Summarize notes',
  description: 'Asks for a summary of all notes, with the notes attached.',
  input: z.object({ style: z.string().optional().describe('Such as "three bullet points"') }),

  async run({ style = 'one paragraph' }, { book }: Notes) {
    const notes: PromptMessage[] = [];
    for await (const { name, text } of book.all())
      notes.push(user(embedded(textContents(uriOf(name), text, mimeType))));
    return [user(`Summarize these ${notes.length} notes in ${style}.`), ...notes];
  },
});
