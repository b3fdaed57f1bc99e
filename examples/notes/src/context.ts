import type { NoteBook } from './backend/note-book.ts';

/** What the handlers share. */
export interface Notes {
  readonly book: NoteBook;
}
