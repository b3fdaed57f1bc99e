/** What notes are written in. */
export const mimeType = 'text/markdown';

export function uriOf(name: string): string {
  return `note:///${encodeURIComponent(name)}`;
}
