import { type Call, defineTool, requireConfirmation } from '@mcp/protocol';
import * as z from 'zod';
import type { Notes } from '../context.ts';

export const saveNote = defineTool({
  name: 'save_note',
  title: 'Save a note',
  description: 'Saves a note; replaces the note of the same name.',
  annotations: { idempotentHint: true, destructiveHint: true, openWorldHint: false },

  inputSchema: z.object({
    name: z.string().describe('Letters, digits, spaces, "-" and "_"'),
    text: z.string().describe('Markdown'),
  }),

  async run({ name, text }, call: Call<Notes>) {
    const { book } = call.context;
    if (await book.has(name)) await requireConfirmation(call, `Replace the note "${name}"?`);
    await book.save(name, text);
    return `Saved "${name}", ${text.length} characters.`;
  },
});
