/**
 * Whether text matches a session in a document: `…` matches anything within a line, and a line that is `…`
 * alone any number of lines. Space at the end of the text is ignored.
 */
export function matches(text: string, shown: string): boolean {
  const pattern = shown
    .split('\n')
    .map((line) => (line.trim() === '…' ? '[\\s\\S]*' : line.split('…').map(escaped).join('.*')))
    .join('\n');
  return new RegExp(`^${pattern}$`).test(text.trimEnd());
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
