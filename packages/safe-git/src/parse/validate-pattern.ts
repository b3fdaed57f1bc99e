/** Maximum number of repetitions in a pattern, because git allocates memory for each of them. */
const maxRepetitions = 10_000;

/** Throws if a pattern contains a NUL or a line break, or if git would need too much memory for it. */
export function checkPattern(pattern: string, regexp: boolean): void {
  if (/[\0\n]/.test(pattern)) throw new Error('Invalid pattern: it contains a NUL or a line break');
  if (regexp && repetitions(pattern) > maxRepetitions)
    throw new Error(`Invalid pattern: more than ${maxRepetitions} repetitions in total; use * or +`);
}

/** Returns the product of all counts, such as 3 in `a{3}`: the number of repetitions if they were nested. */
function repetitions(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d*),?(\d*)\}/g)];
  return counts.reduce((all, [, from, to]) => all * Math.max(1, Number(from), Number(to)), 1);
}

/** Returns the text to search for. Throws if it contains a NUL, because git gets it as an argument. */
export function checkText(text: string | undefined): string | undefined {
  if (text?.includes('\0')) throw new Error('Invalid text: it contains a NUL');
  return text;
}
