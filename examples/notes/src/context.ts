import type { NoteBook } from './backend/note-book.ts';

/** What every handler can reach. */
export interface Notes {
  readonly book: NoteBook;
}
