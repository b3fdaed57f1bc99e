import { expect, test } from 'vitest';
import { languageOf } from '../src/model/languages.ts';
import { marked, tokensOf } from '../src/model/tokens.ts';

test.each([
  ['a.ts', "const a = 'x'; // no", ['k:const', "s:'x'", 'c:// no']],
  ['a.py', 'def f(x): return "1" + 0x1f  # no', ['k:def', 'f:f', 'k:return', 's:"1"', 'n:0x1f', 'c:# no']],
  ['A.SQL', 'SELECT name FROM t -- no', ['k:SELECT', 'k:FROM', 'c:-- no']],
  ['a.rs', "let x: Vec<'a> = 1;", ['k:let', 't:Vec', 'n:1']],
  ['Makefile', 'all: # no', ['c:# no']],
  ['a.unknown', 'const a', []],
  ['a.ts', '"'.repeat(5_000), [`s:${'""'}`]],
  ['a.ts', `'\\${'\\'.repeat(9_999)}`, [`s:'\\${'\\'.repeat(9_999)}`]],
])('tokens of %s, %#', (path, text, expected) => {
  const tokens = tokensOf(text, languageOf(path));
  expect(tokens.map(([, part]) => part).join('')).toBe(text);
  const shown = tokens.filter(([kind]) => kind !== '').map(([kind, part]) => `${kind}:${part}`);
  expect([...new Set(shown)]).toEqual(expected);
});

test('a part of a line is marked across its tokens', () => {
  const tokens = tokensOf('let ab = 1', languageOf('a.ts'));
  expect(marked(tokens, 2, 6)).toEqual([
    ['k', 'le', false],
    ['k', 't', true],
    ['', ' ab', true],
    ['', ' = ', false],
    ['n', '1', false],
  ]);
});
