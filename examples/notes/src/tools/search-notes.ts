import { type Call, defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { Notes } from '../context.ts';

export const searchNotes = defineTool({
  name: 'search_notes',
  title: 'Search notes',
  description: 'Finds the notes that contain a text; case is ignored.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({ text: z.string().min(1) }),
  outputSchema: z.object({
    notes: z.array(z.object({ name: z.string(), line: z.string() })),
  }),

  async run({ text }, { context: { book }, signal, progress }: Call<Notes>) {
    const wanted = text.toLowerCase();
    const notes: { name: string; line: string }[] = [];
    let done = 0;
    for await (const note of book.all()) {
      signal.throwIfAborted();
      progress(++done);
      const line = note.text.split('\n').find((each) => each.toLowerCase().includes(wanted));
      if (line !== undefined) notes.push({ name: note.name, line });
    }
    return { notes };
  },
});
