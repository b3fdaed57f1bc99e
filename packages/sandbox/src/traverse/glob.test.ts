import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Glob } from './glob.ts';

const cases: [pattern: string, matches: string[], not: string[]][] = [
  ['*.ts', ['a.ts', '.ts', 'x/a.ts', 'x/y/a.ts'], ['a.tsx', 'a.ts/b']],
  ['./*.ts', ['a.ts'], ['x/a.ts']],
  ['src/*.ts', ['src/a.ts', 'src/.ts'], ['a.ts', 'src/x/a.ts', 'x/src/a.ts']],
  ['src/**', ['src/a', 'src/a/b'], ['src', 'srcs/a']],
  ['**/a', ['a', 'x/a', 'x/y/a'], ['xa', 'a/x']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb']],
  ['a**b', ['ab', 'axb', 'x/ab'], ['a/b']],
  ['**', ['a', 'a/b'], []],
  ['?', ['a', '😀', 'é'], ['ab', '']],
  ['[a-c]', ['a', 'b', 'x/c'], ['d', '-']],
  ['[!a-c]x', ['dx', '-x'], ['ax', '/x']],
  ['[^a]', ['b'], ['a']],
  ['[]a]', [']', 'a'], ['b']],
  ['[a\\]b]', ['a', ']', 'b'], ['\\']],
  ['[a-]', ['a', '-'], ['b']],
  ['[z-a]', [], ['a', 'z', '-']],
  ['[ab', ['[ab'], ['a']],
  ['[a/b]', ['[a/b]'], ['a']],
  ['{a,b{c,d}}', ['a', 'bc', 'bd'], ['b', '{a}']],
  ['{,a}b', ['b', 'ab'], ['a']],
  ['{a}', ['{a}'], ['a']],
  ['{a,b', ['{a,b'], ['a']],
  ['{[,],x}', [',', 'x'], ['[', ']']],
  ['a\\*', ['a*'], ['ab', 'a\\']],
  ['\\{a,b}', ['{a,b}'], ['a']],
  ['a\\', ['a\\'], ['a']],
  ['+(a|b)', ['+(a|b)'], ['a']],
  ['././a', ['a'], ['./a', 'x/a']],
  ['a/./b', ['a/./b'], ['a/b']],
  ['a/**/{b/**,**}', ['a/b/c', 'a/x'], ['a', 'b/c']],
  ['{a/**,b}', ['a/x', 'a/x/y', 'b'], ['a', 'b/x']],
  ['{**,b}/c', ['x/c', 'x/y/c', 'b/c'], ['c']],
  ['{b,**}', ['b', 'x/y'], []],
  ['{a\\,b}', ['{a,b}'], ['a', 'b']],
  ['{a\\},b}', ['a}', 'b'], ['a']],
  ['{[}],b}', ['}', 'b'], ['[}]']],
  ['{[,]}', ['{,}'], [',']],
  ['{{a,b}}', ['{a}', '{b}'], ['a']],
  ['{{a,b},c}d', ['ad', 'bd', 'cd'], ['d']],
  ['{a,b}c}', ['ac}', 'bc}'], ['ac']],
  ['[!]a]', ['b'], [']', 'a']],
  ['[^]a]', ['b'], [']', 'a']],
  ['[a\\-c]', ['a', '-', 'c'], ['b']],
  ['[+--]', ['+', ',', '-'], ['.']],
  ['[a-c-e]', ['a', 'b', 'c', '-', 'e'], ['d']],
  ['[\\', ['[\\'], ['\\']],
  ['\u{ffff}b', ['\u{ffff}b'], ['a']],
  ['[aez]', ['a', 'e', 'z'], ['b']],
  ['[-a]', ['-', 'a'], ['b']],
  ['./{**a,b}', ['a', 'xa', 'b'], ['x/a']],
  ['./{b,**}', ['b', 'x/y'], []],
  ['./**,x', ['a,x'], ['a/b,x']],
  ['(group)/[id]', ['(group)/i', '(group)/d'], ['(group)/[id]']],
];

describe('Glob', () => {
  it.each(cases)('the pattern %s matches exactly the expected paths', (pattern, matches, not) => {
    const glob = new Glob(pattern);
    for (const path of matches) expect(glob.matches(path), path).toBe(true);
    for (const path of not) expect(glob.matches(path), path).toBe(false);
  });

  it.each([
    ['', 'A pattern cannot be empty'],
    ['a'.repeat(1001), 'Pattern longer than 1000 characters: "aaa'],
    ['/a', 'A pattern is relative to the searched directory and cannot begin with "/": "/a"'],
    ['..', 'A pattern cannot contain "..": ".."'],
    ['a/../b', 'A pattern cannot contain "..": "a/../b"'],
  ])('the pattern %j is refused', (pattern, message) => {
    expect(() => new Glob(pattern)).toThrow(message);
  });

  it('a pattern of the maximum length, and names with two dots, are allowed', () => {
    expect(new Glob('a'.repeat(1000)).matches('a'.repeat(1000))).toBe(true);
    expect(new Glob('a/b..c').matches('a/b..c')).toBe(true);
  });

  it('a path can be matched one segment at a time', () => {
    const glob = new Glob('src/**/*.ts');
    const inside = glob.step(glob.start, 'src/');
    expect(inside).toMatchObject({ accepting: false, dead: false });
    expect(glob.step(inside, 'a.ts').accepting).toBe(true);
    expect(glob.step(glob.start, 'lib/').dead).toBe(true);
  });

  it('the cost of a match is bounded by the length of the pattern times the length of the path', () => {
    const path = 'a'.repeat(4000);
    const started = performance.now();
    for (const pattern of [
      '{a,b}'.repeat(160),
      `${'*a'.repeat(400)}b`,
      `${'{a*,*a}'.repeat(100)}!`,
      '{'.repeat(999),
      '['.repeat(999),
    ]) {
      expect(new Glob(pattern).matches(path)).toBe(false);
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('a pattern matches the same paths as a naive recursive matcher', () => {
    const pattern = fc.array(
      fc.oneof(
        fc.constantFrom('a', 'b', '/', '*', '**', '**/', '?', '.', '[ab]', '[!a]', '\\*', '\\{'),
        fc
          .tuple(fc.constantFrom('a', 'b*', '?b', '[b]a'), fc.constantFrom('a', 'c/b'))
          .map(([x, y]) => `{${x},${y}}`),
      ),
      { maxLength: 8 },
    );
    const path = fc
      .array(fc.constantFrom('a', 'b', '/', '.', '*', '{', 'c/b'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, path, (parts, text) => {
        // The glob begins with `./`. What `Glob` refuses, or the naive matcher does not support, is removed.
        const glob = `./${parts
          .join('')
          .replace(/^(\.?\/)+/, '')
          .replace(/\*{3,}/g, '*')}`;
        fc.pre(glob !== './' && !glob.split('/').includes('..'));
        const naive = expansions(glob.slice(2)).some((each) => naivelyMatches(each, text));
        expect(new Glob(glob).matches(text)).toBe(naive);
      }),
      { numRuns: 5000 },
    );
  });
});

/** Expands braces that are not nested: one pattern for each alternative. */
function expansions(pattern: string): string[] {
  const braces = /(?<!\\)\{([^,{}]*),([^,{}]*)\}/.exec(pattern);
  if (!braces) return [pattern];
  const [whole, left, right] = braces;
  const [before, after] = [pattern.slice(0, braces.index), pattern.slice(braces.index + whole.length)];
  return [left, right].flatMap((choice) => expansions(before + choice + after));
}

function naivelyMatches(pattern: string, text: string, atStart = true): boolean {
  if (pattern === '') return text === '';
  const rests = Array.from(
    { length: text.length + 1 },
    (_, at) => [text.slice(0, at), text.slice(at)] as const,
  );
  if (atStart && pattern.startsWith('**/')) {
    return rests.some(
      ([skipped, rest]) =>
        (skipped === '' || skipped.endsWith('/')) && naivelyMatches(pattern.slice(3), rest),
    );
  }
  if (atStart && pattern === '**') return text !== '';
  const stars = /^\*+/.exec(pattern)?.[0];
  if (stars) {
    return rests.some(
      ([skipped, rest]) => !skipped.includes('/') && naivelyMatches(pattern.slice(stars.length), rest, false),
    );
  }
  const [, token = ''] = /^(\\.|\[!?[^\]]*\]|.)/.exec(pattern)!;
  const [character] = text;
  if (character === undefined || !means(token, character)) return false;
  return naivelyMatches(pattern.slice(token.length), text.slice(1), token === '/');
}

function means(token: string, character: string): boolean {
  if (token === '?') return character !== '/';
  if (token.startsWith('[!')) return character !== '/' && !token.slice(2, -1).includes(character);
  if (token.startsWith('[')) return token.slice(1, -1).includes(character);
  return token.replace(/^\\/, '') === character;
}
