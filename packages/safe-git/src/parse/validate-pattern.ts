/** Maximum number of repetitions in a pattern: git allocates memory for each. */
const maxRepetitions = 10_000;

/** Throws for a pattern that contains a NUL or a line break, or for which git would need too much memory. */
export function checkPattern(pattern: string, regexp: boolean): void {
  if (/[\0\n]/.test(pattern)) throw new Error('Invalid pattern: it contains a NUL or a line break');
  if (regexp && repetitions(pattern) > maxRepetitions)
    throw new Error(`Invalid pattern: more than ${maxRepetitions} repetitions in total; use * or +`);
}

/** The number of repetitions if all counts of the pattern were nested: their product. */
function repetitions(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d*),?(\d*)\}/g)];
  return counts.reduce((all, [, from, to]) => all * Math.max(1, Number(from), Number(to)), 1);
}

/** Returns the text to search for. Throws if it contains a NUL, since git gets it in an argument. */
export function checkText(text: string | undefined): string | undefined {
  if (text?.includes('\0')) throw new Error('Invalid text: it contains a NUL');
  return text;
}
