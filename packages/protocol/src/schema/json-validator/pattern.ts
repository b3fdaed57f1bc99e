import { worstSteps } from './worst-steps.ts';

interface Pattern {
  readonly expression: RegExp;
  readonly steps: (length: number) => number;
}

/** The maximum number of steps of one match: about 50 ms, in which the match blocks the thread. */
const maxSteps = 5_000_000;

/** The maximum time for all pattern matches of one value together, in milliseconds. */
const maxMs = 100;

const compiled = new Map<string, Pattern | undefined>();
const maxCompiled = 1_000;

/** Matches texts in a bounded time: an untrusted server may choose both patterns and texts. */
export class PatternMatcher {
  #leftMs = maxMs;

  /** Whether a text matches; undefined for an invalid or slow pattern, and after `maxMs` for all matches. */
  matches(pattern: string, text: string): boolean | undefined {
    if (this.#leftMs <= 0) return undefined;
    const started = performance.now();
    const known = compiled.has(pattern) ? compiled.get(pattern) : compile(pattern);
    const result = known && stepsOf(known, text.length) <= maxSteps ? test(known, text) : undefined;
    this.#leftMs -= performance.now() - started;
    return result;
  }
}

function stepsOf({ steps }: Pattern, length: number): number {
  try {
    return steps(length);
  } catch {
    // The pattern has so many parts that calculating its steps exhausts the stack: it is too slow.
    return Infinity;
  }
}

/** Matches a text; undefined for an expression that is too large, which V8 detects only when it is used. */
function test({ expression }: Pattern, text: string): boolean | undefined {
  try {
    return expression.test(text);
  } catch {
    return undefined;
  }
}

function compile(pattern: string): Pattern | undefined {
  if (compiled.size >= maxCompiled) compiled.clear();
  const known = tryCompile(pattern);
  compiled.set(pattern, known);
  return known;
}

function tryCompile(pattern: string): Pattern | undefined {
  try {
    return { expression: new RegExp(pattern, 'u'), steps: worstSteps(pattern) };
  } catch {
    return undefined;
  }
}
