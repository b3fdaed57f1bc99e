/** The URI template of the notes. */
export const noteUri = 'note:///{name}';

/** The MIME type of a note. */
export const mimeType = 'text/markdown';

/** The URI of a note. */
export function uriOf(name: string): string {
  return noteUri.replace('{name}', encodeURIComponent(name));
}
