import type { Language } from './languages.ts';

/** A part of a line: its class, which is empty for plain text, and its text. */
export type Token = readonly [kind: string, text: string];

const patterns = new WeakMap<Language, RegExp>();

function patternOf(language: Language): RegExp {
  const known = patterns.get(language);
  if (known) return known;
  const number = String.raw`\b0[xXbBoO][\da-fA-F_]+\b|\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b`;
  const parts = [language.comment, language.string, number, String.raw`[\p{L}_$][\p{L}\p{N}_$-]*`];
  const made = new RegExp(parts.map((part) => `(${part})`).join('|'), 'gu');
  patterns.set(language, made);
  return made;
}

/**
 * The tokens of one line: comments `c`, strings `s`, numbers `n`, keywords `k`, names of types `t` and of
 * functions `f`. Comments and strings of several lines are not known as such.
 */
export function tokensOf(text: string, language: Language | undefined): Token[] {
  if (!language) return [['', text]];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(patternOf(language))) {
    const [found, comment, string, number] = match;
    const kind =
      comment !== undefined
        ? 'c'
        : string !== undefined
          ? 's'
          : number !== undefined
            ? 'n'
            : kindOfWord(found, text[match.index + found.length], language);
    if (kind === '') continue;
    if (match.index > end) tokens.push(['', text.slice(end, match.index)]);
    tokens.push([kind, found]);
    end = match.index + found.length;
  }
  return end < text.length ? [...tokens, ['', text.slice(end)]] : tokens;
}

function kindOfWord(word: string, next: string | undefined, { keywords }: Language): string {
  if (keywords.has(word) || (word === word.toUpperCase() && keywords.has(word.toLowerCase()))) return 'k';
  if (next === '(') return 'f';
  return /^\p{Lu}.*\p{Ll}/u.test(word) ? 't' : '';
}

/** The tokens with another class for the characters from `from` to before `to`. */
export function marked(tokens: readonly Token[], from: number, to: number): (readonly [...Token, boolean])[] {
  let at = 0;
  return tokens.flatMap(([kind, text]) => {
    const [start, end] = [at, (at += text.length)];
    const [a, b] = [
      Math.max(0, Math.min(text.length, from - start)),
      Math.max(0, Math.min(text.length, to - start)),
    ];
    const parts = [
      [kind, text.slice(0, a), false],
      [kind, text.slice(a, b), true],
      [kind, text.slice(Math.max(a, b)), false],
    ] as const;
    return end <= from || start >= to
      ? [[kind, text, false] as const]
      : parts.filter(([, part]) => part !== '');
  });
}
