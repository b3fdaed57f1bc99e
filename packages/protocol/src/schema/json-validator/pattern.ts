/** The maximum number of steps of one match, which blocks the thread while it runs. */
const maxSteps = 10_000_000;

const compiled = new Map<string, RegExp | undefined>();
const maxCompiled = 1_000;

/**
 * Whether a text matches a pattern. Undefined for an invalid pattern, and for one whose backtracking could
 * take long: an untrusted server may choose both the pattern and the text.
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

/**
 * Backtracking is exponential in the length of the text under a repeated group; otherwise it is polynomial.
 */
function worstSteps(pattern: string, length: number): number {
  const plain = pattern.replaceAll(/\\[^1-9]|\[(?:\\.|[^\]\\])*\]/g, 'x');
  if (/\)[*+{]/.test(plain) || /\\[1-9]/.test(plain)) return 2 ** length;
  const repetitions = plain.match(/[*+]|\{\d*,/g)?.length ?? 0;
  // Without an anchor the match is tried from each position.
  return length ** (repetitions + (plain.startsWith('^') ? 0 : 1));
}
