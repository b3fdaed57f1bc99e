/** Quotes a word, if necessary, so that it can be pasted into a shell. */
export function shellWord(word: string): string {
  if (/\p{Cc}/u.test(word)) return `$'${word.replaceAll(/[\\'\p{Cc}]/gu, escaped)}'`;
  return /^[\w@%+=:,./•…-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A character between `$'` and `'`, as shells write it. */
function escaped(character: string): string {
  if (character === '\n') return String.raw`\n`;
  if (character > ' ' && character < '\u007f') return `\\${character}`;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
