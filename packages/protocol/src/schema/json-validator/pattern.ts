/** Steps that one match may take; beyond that the thread would stand still. */
const maxSteps = 10_000_000;

const compiled = new Map<string, RegExp | undefined>();
const maxCompiled = 1_000;

/**
 * Whether a text matches a pattern; undefined where the pattern is none, or where backtracking could take long: a
 * pattern is its server's, and so is the text.
 */
export function matches(pattern: string, text: string): boolean | undefined {
  if (worstSteps(pattern, text.length) > maxSteps) return undefined;
  return compile(pattern)?.test(text);
}

function compile(pattern: string): RegExp | undefined {
  if (!compiled.has(pattern)) {
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(pattern, tryCompile(pattern));
  }
  return compiled.get(pattern);
}

function tryCompile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** Backtracking is exponential in a text's length under a repeated group, and else a power: one for each repetition. */
function worstSteps(pattern: string, length: number): number {
  const plain = pattern.replaceAll(/\\[^1-9]|\[(?:\\.|[^\]\\])*\]/g, 'x');
  if (/\)[*+{]/.test(plain) || /\\[1-9]/.test(plain)) return 2 ** length;
  const repetitions = plain.match(/[*+]|\{\d*,/g)?.length ?? 0;
  // Without an anchor the match is tried from each position.
  return length ** (repetitions + (plain.startsWith('^') ? 0 : 1));
}
