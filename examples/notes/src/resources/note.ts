import { type Call, defineResource, type ResourceCall, ResourceNotFound } from '@mcp/protocol';
import { NoSuchNote } from '../backend/note-book.ts';
import type { Notes } from '../context.ts';
import { mimeType, noteUri, uriOf } from '../input/note-uri.ts';

/** One note. Subscribers are notified of every change of its file, also by other programs. */
export const note = defineResource({
  uri: noteUri,
  name: 'note',
  title: 'Note',
  description: 'One of the notes.',
  mimeType,

  async read({ name }, { context: { book }, uri }: ResourceCall<Notes>) {
    try {
      return { uri, mimeType, text: await book.read(name) };
    } catch (error) {
      if (!(error instanceof NoSuchNote)) throw error;
      throw new ResourceNotFound(uri, error.message, { cause: error });
    }
  },

  watch: ({ name }, changed, { context: { book } }: Call<Notes>) => book.watch(name, changed),

  async list({ context: { book } }: Call<Notes>) {
    return (await book.names()).map((name) => ({ uri: uriOf(name), name }));
  },
  watchList: (changed, { context: { book } }: Call<Notes>) => book.watchNames(changed),

  complete: {
    name: async (typed, { context: { book } }: Call<Notes>) =>
      (await book.names()).filter((name) => name.startsWith(typed)),
  },
});
