/** The MIME type of a note. */
export const mimeType = 'text/markdown';

export function uriOf(name: string): string {
  return `note:///${encodeURIComponent(name)}`;
}
