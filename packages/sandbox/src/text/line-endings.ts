/** A text with every line break normalised to `\n`, and the mapping back to positions in the original. */
export interface Unified {
  readonly text: string;
  /** Returns the position in the original text of a position in `text`. */
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

/** Returns the line ending in a part of a text; else the next after it, the last before it, or `\n`. */
export function lineEndingAt(text: string, start: number, end: number): string {
  const within = /\r\n?|\n/.exec(text.slice(start, end));
  if (within) return within[0];
  const after = text.slice(end).search(/[\r\n]/);
  if (after >= 0) return text.startsWith('\r\n', end + after) ? '\r\n' : text[end + after]!;
  const before = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1));
  if (start === 0 || before < 0) return '\n';
  return text[before] === '\n' && text[before - 1] === '\r' ? '\r\n' : text[before]!;
}
