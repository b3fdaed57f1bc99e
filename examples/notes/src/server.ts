import { defineServer } from '@mcp/protocol';
import manifest from '../package.json' with { type: 'json' };
import { NoteBook, type NoteBookOptions } from './backend/note-book.ts';
import { summarizeNotes } from './prompts/summarize-notes.ts';
import { note } from './resources/note.ts';
import { saveNote } from './tools/save-note.ts';
import { searchNotes } from './tools/search-notes.ts';

/** A server for a directory of notes. */
export function notes(options: NoteBookOptions) {
  return defineServer({
    name: manifest.name,
    version: manifest.version,
    title: 'Notes',
    context: { book: new NoteBook(options) },
    tools: [saveNote, searchNotes],
    resources: [note],
    prompts: [summarizeNotes],
  });
}
