/**
 * Returns a name or path for a list. It is quoted if it begins or ends with a space, which could not be seen
 * there, or would look like indentation.
 */
export function listedName(shown: string): string {
  return shown.startsWith(' ') || shown.endsWith(' ') ? `"${shown.replaceAll('"', '\\"')}"` : shown;
}
