/** The indentation of a line in an edit, and the indentation of the file's line that it matches. */
export interface IndentPair {
  readonly given: string;
  readonly actual: string;
}

const defaultUnit = 4;

/**
 * Converts the indentation of `newText` to the file's, so that tabs and spaces are not mixed. A line with the
 * same indentation as a line of `oldText` gets the indentation of the file's line that matched this line. Any
 * other line gets the indentation of the first matched line of the file. Its additional indentation is kept,
 * in the file's tabs or spaces.
 */
export function reindent(
  newText: string,
  oldText: string,
  pairs: readonly IndentPair[],
  file: string,
): string {
  if (pairs.every(({ given, actual }) => given === actual)) return newText;
  const [base = { given: '', actual: '' }] = pairs;
  const known = new Map(pairs.toReversed().map(({ given, actual }) => [given, actual]));
  const usesTabs = isIndentedWithTabs(pairs, file);
  const givenUnit = unitOf([...indentsOf(oldText), ...indentsOf(newText)]);
  const fileUnit = unitOf(pairs.map(({ actual }) => actual));
  const convert = (extra: string) =>
    usesTabs
      ? extra.replace(/ +/g, ({ length }) => '\t'.repeat(length / givenUnit) + ' '.repeat(length % givenUnit))
      : extra.replaceAll('\t', ' '.repeat(fileUnit));
  return newText.replace(/^[ \t]*(?=\S)/gm, (given) => {
    const matched = known.get(given);
    if (matched !== undefined) return matched;
    return given.startsWith(base.given) ? base.actual + convert(given.slice(base.given.length)) : given;
  });
}

function isIndentedWithTabs(pairs: readonly IndentPair[], file: string): boolean {
  const indented = pairs.find(({ actual }) => actual !== '');
  return (indented?.actual ?? /^[ \t]+(?=\S)/m.exec(file)?.[0] ?? ' ').includes('\t');
}

/** Returns the smallest difference of two depths of indentation, in characters; 4 if there is none. */
function unitOf(indents: readonly string[]): number {
  const depths = [...new Set(indents.map(({ length }) => length))].sort((a, b) => a - b);
  const differences = depths.slice(1).map((depth, index) => depth - depths[index]!);
  return differences.length > 0 ? Math.min(...differences) : defaultUnit;
}

function indentsOf(text: string): string[] {
  return text.match(/^[ \t]*(?=\S)/gm) ?? [];
}
