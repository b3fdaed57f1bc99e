/**
 * A part of a pattern, with upper bounds for the number of ways in which a backtracking matcher may try to
 * match it.
 */
interface Part {
  /** The number of characters, classes and backreferences; if one must match n times, it counts n times. */
  readonly atoms: number;
  /** The number of ways to match a text of `length` characters. */
  readonly ways: (length: number) => number;
  /** The number of ways in which the part can match the empty text. */
  readonly empty: number;
  /** The number of ways in which a match of the part can begin, for the worst first character of a text. */
  readonly first: number;
  /**
   * The maximum number of ways to continue after a character inside the part (`next`), and after a character
   * that may be its last (`afterLast`). `next` is infinite if no bound is known: if the part has a
   * backreference or a lookaround, or can match the empty text in several ways.
   */
  readonly next: number;
  readonly afterLast: number;
}

const one = () => 1;
const atom: Part = { atoms: 1, ways: one, empty: 0, first: 1, next: 0, afterLast: 0 };
const nothing: Part = { atoms: 0, ways: one, empty: 1, first: 0, next: 0, afterLast: 0 };
/** A backreference, whose text may have any length. */
const repeated: Part = { ...atom, ways: (length) => length + 1, empty: 1, next: Infinity };

/**
 * Returns a function that gives, for the length of a text, the maximum number of steps of a match. It is the
 * lower of two bounds. One is the product of the numbers of ways in which the parts can match; without nested
 * repetitions, this is polynomial. The other is a^n, for `a` alternatives at each character and a text of n
 * characters. The pattern must be valid with the flag `u`.
 */
export function worstSteps(pattern: string): (length: number) => number {
  const whole = new Reader(pattern).alternatives();
  const anchored = pattern.startsWith('^') && !pattern.includes('|');
  return (length) => {
    const starts = anchored ? 1 : length + 1;
    const branches = whole.next <= 1 ? Infinity : whole.next ** length * (whole.first + 1);
    return starts * Math.min(whole.ways(length) * Math.max(1, whole.atoms), branches);
  };
}

function sequence(a: Part, b: Part): Part {
  return {
    atoms: a.atoms + b.atoms,
    ways: product(a.ways, b.ways),
    empty: a.empty * b.empty,
    first: a.first + a.empty * b.first,
    next: Math.max(a.next, b.next, a.afterLast + b.first),
    afterLast: b.empty > 0 ? Math.max(b.afterLast, a.afterLast + b.first) : b.afterLast,
  };
}

function product(a: Part['ways'], b: Part['ways']): Part['ways'] {
  if (a === one) return b;
  return b === one ? a : (length) => a(length) * b(length);
}

function alternative(a: Part, b: Part): Part {
  return {
    atoms: a.atoms + b.atoms,
    ways: (length) => a.ways(length) + b.ways(length),
    empty: a.empty + b.empty,
    first: a.first + b.first,
    next: a.empty + b.empty > 1 ? Infinity : Math.max(a.next, b.next),
    afterLast: Math.max(a.afterLast, b.afterLast),
  };
}

function repetition(part: Part, min: number, max: number): Part {
  // A part that may match nothing can be skipped at each of the `min` required repetitions.
  const copies = part.empty > 0 ? Math.max(1, min) : 1;
  const first = part.first * copies;
  const afterLast = max > 1 ? part.afterLast + first : part.afterLast;
  return {
    atoms: part.atoms * Math.max(1, min),
    ways: (length) => repeatedWays(part.ways(length), min, Math.min(max, Math.max(min, length))),
    empty: min === 0 ? 1 : part.empty,
    first,
    next: min === 0 && part.empty > 0 ? Infinity : Math.max(part.next, afterLast),
    afterLast,
  };
}

/** The sum of `ways` to the power of n, for n from `min` to `max`. */
function repeatedWays(ways: number, min: number, max: number): number {
  if (ways === 1) return max - min + 1;
  const sum = (ways ** (max + 1) - ways ** min) / (ways - 1);
  return Number.isNaN(sum) ? Infinity : sum;
}

const quantifier = /([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/y;
const groupStart = /\((?:\?(?::|<(?![=!])[^>]*>|[a-z-]*:))?/y;
const lookaround = /\(\?<?[=!]/y;
const single =
  /\\[bB]|\\k<[^>]*>|\\[1-9]\d*|\\[pPu]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x..|\\c.|\\.|\[(?:\\.|[^\]\\])*\]|[^]/uy;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  alternatives(): Part {
    let all = this.#sequence();
    while (this.#take(/\|/y)) all = alternative(all, this.#sequence());
    return all;
  }

  #sequence(): Part {
    let all = nothing;
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text[this.#at] ?? '')) {
      all = sequence(all, this.#quantified(this.#part()));
    }
    return all;
  }

  #part(): Part {
    const looks = this.#take(lookaround);
    if (looks ?? this.#take(groupStart)) {
      const inner = this.alternatives();
      this.#take(/\)/y);
      return looks ? { ...inner, empty: 1, next: Infinity } : inner;
    }
    const [found = ''] = this.#take(single) ?? [];
    if (/^(?:\^|\$|\\[bB])$/.test(found)) return nothing;
    return /^\\(?:[1-9]|k)/.test(found) ? repeated : atom;
  }

  #quantified(part: Part): Part {
    const found = this.#take(quantifier);
    if (!found) return part;
    const [, sign, min, comma, max = ''] = found;
    if (sign !== undefined) return repetition(part, sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity);
    const least = Number(min);
    return repetition(part, least, comma === undefined ? least : max === '' ? Infinity : Number(max));
  }

  #take(what: RegExp): RegExpExecArray | null {
    what.lastIndex = this.#at;
    const found = what.exec(this.#text);
    if (found) this.#at = what.lastIndex;
    return found;
  }
}
