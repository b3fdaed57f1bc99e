import { defineResource, ResourceNotFound } from '@mcp/protocol';
import { NoSuchNote } from '../backend/note-book.ts';
import type { Notes } from '../context.ts';
import { mimeType, uriOf } from '../input/note-uri.ts';

/** One note. Subscribers are notified of every change of its file, also by other programs. */
export const note = defineResource({
  uri: 'note:///{name}',
  name: 'note',
  title: 'Note',
  description: 'One of the notes.',
  mimeType,

  async read({ name }, { book }: Notes, { uri }) {
    try {
      return { uri, mimeType, text: await book.read(name) };
    } catch (error) {
      if (!(error instanceof NoSuchNote)) throw error;
      throw new ResourceNotFound(uri, error.message, { cause: error });
    }
  },

  watch: ({ name }, changed, { book }: Notes) => book.watch(name, changed),

  async list({ book }: Notes) {
    return (await book.names()).map((name) => ({ uri: uriOf(name), name }));
  },
  watchList: (changed, { book }: Notes) => book.watchNames(changed),

  complete: {
    name: async (typed, { book }: Notes) => (await book.names()).filter((name) => name.startsWith(typed)),
  },
});
