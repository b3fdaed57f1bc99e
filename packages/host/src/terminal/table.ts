import { sanitizeLine } from './sanitize.ts';

/** Characters that take two columns: East Asian wide ones and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const marks = /^(?:\p{Mn}|\p{Me}|\u200c|\u200d)$/u;

/** Text of printable ASCII characters, each of which is one column wide. */
const plain = /^[\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

/**
 * The graphemes of a text. ASCII is not segmented: to make a segmenter takes as long as all other work at the
 * start of `mcp`.
 */
function graphemesOf(text: string): Iterable<string> {
  if (plain.test(text)) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The columns that a text takes in a terminal. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (marks.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

/** The text, cut with `…` if it is wider than `width`. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    used += graphemeWidth(grapheme);
    if (used > width - 1) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

/**
 * Formats rows as aligned columns. The last column gets the rest of `width`, and its longer texts are cut;
 * each other column gets at most a third. `least` gives minimum widths, so that rows printed by separate
 * calls are aligned, too.
 */
export function table(
  rows: readonly (readonly string[])[],
  width: number,
  least: readonly number[] = [],
): string[] {
  const clean = rows.map((row) => row.map(sanitizeLine));
  const columns = Math.max(0, ...clean.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.min(
      Math.max(least[column] ?? 0, ...clean.map((row) => textWidth(row[column] ?? ''))),
      Math.max(6, Math.floor(width / 3)),
    ),
  );
  return clean.map((row) => {
    const cells = row.map((cell, column) => {
      if (column === row.length - 1) return cell;
      const shown = cut(cell, widths[column]!);
      return shown + ' '.repeat(widths[column]! - textWidth(shown));
    });
    return cut(cells.join('  ').trimEnd(), width);
  });
}
