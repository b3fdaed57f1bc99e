/** A text in which every line break is `\n`, and a function that maps positions to the original text. */
export interface Unified {
  readonly text: string;
  /** Converts a position in `text` to the position in the original text. */
  original(position: number): number;
}

export function unifyLineEndings(text: string): Unified {
  if (!text.includes('\r')) return { text, original: (position) => position };
  return {
    text: text.replace(/\r\n?/g, '\n'),
    original(position) {
      let removed = 0;
      for (
        let at = text.indexOf('\r\n');
        at >= 0 && at - removed < position;
        at = text.indexOf('\r\n', at + 2)
      )
        removed++;
      return position + removed;
    },
  };
}

/** The first line ending in a part of a text, else the next after it, else the last before it, else `\n`. */
export function lineEndingAt(text: string, start: number, end: number): string {
  const within = /\r\n?|\n/.exec(text.slice(start, end));
  if (within) return within[0];
  const after = text.slice(end).search(/[\r\n]/);
  if (after >= 0) return text.startsWith('\r\n', end + after) ? '\r\n' : text[end + after]!;
  const before = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1));
  if (start === 0 || before < 0) return '\n';
  return text[before] === '\n' && text[before - 1] === '\r' ? '\r\n' : text[before]!;
}
