import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCallExpression } from './call-expression.ts';

const argsOf = (text: string) => parseCallExpression(`s.t(${text})`)?.args;

test.each([
  ['', {}],
  ['a: 1, b: "x"', { a: 1, b: 'x' }],
  [" 'a-b' : -0.5e3 ,\n c:[true, null, [ ],],", { 'a-b': -500, c: [true, null, []] }],
  [String.raw`a: 'it\'s', b: "\u0041\n\\"`, { a: "it's", b: 'A\n\\' }],
  ['línea: 1, 名: 2', { línea: 1, 名: 2 }],
  ['a: {b: {c: ")"}, "d": [1,2]}', { a: { b: { c: ')' }, d: [1, 2] } }],
])('the values of (%s)', (text, args) => {
  expect(argsOf(text)).toEqual(args);
});

test.each([
  ['s.t(', 'a name or ")" at character 5; found the end'],
  ['s.t(1)', 'a name at character 5; found "1)"'],
  ['s.t(a 1)', '":" and the value of "a" at character 7; found "1)"'],
  ['s.t(a: )', 'a value: a text in quotes, a number, true, false, null, [ or { at character 8; found ")"'],
  [
    's.t(a: yes)',
    'a value: a text in quotes, a number, true, false, null, [ or { at character 8; found "yes)"',
  ],
  ['s.t(a: 1 b: 2)', '"," or ")" at character 10; found "b: 2)"'],
  ['s.t(a: "x)', 'the closing " at character 11; found the end'],
  ['s.t(a: 1, a: 2)', 'another name than "a", which is given already at character 11; found "a: 2)"'],
  [
    's.t(a: 01)',
    'a value: a text in quotes, a number, true, false, null, [ or { at character 8; found "01)"',
  ],
  ['s.t(a: 9007199254740993)', `a number of at most ${Number.MAX_SAFE_INTEGER} at character 8`],
  [String.raw`s.t(a: "\q")`, String.raw`an escape of JSON at character 9; found "\q")"`],
  ['s.t(a: 1) b', 'the end at character 11; found "b"'],
  [`s.t(a: ${'['.repeat(200)}`, 'at most 100 levels at character'],
])('%s is refused', (text, message) => {
  expect(() => parseCallExpression(text)).toThrow(`Invalid call: expected ${message}`);
});

test('a word without a parenthesis is no call', () => {
  expect(parseCallExpression('s.t')).toBeUndefined();
});

test('the values of JSON are read as they are', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const json = JSON.stringify(value);
      // Integers that are not exact are refused.
      fc.pre(!/(?<![.\d])\d{16,}(?![.\de])/.test(json));
      expect(argsOf(json.slice(1, -1))).toEqual(JSON.parse(json));
    }),
    { numRuns: 300 * Number(process.env['GENERATED_TIMES'] ?? 1) },
  );
});

test('any text is read, or refused with its place', () => {
  const texts = fc.array(
    fc.constantFrom('(', ')', '{', '}', '[', ']', ':', ',', '"', "'", 'a', '1', '\\', ' '),
  );
  fc.assert(
    fc.property(texts, (parts) => {
      try {
        parseCallExpression(`s.t(${parts.join('')}`);
      } catch (error) {
        expect((error as Error).message).toMatch(/^Invalid call: expected .* at character \d+; found /s);
      }
    }),
    { numRuns: 500 * Number(process.env['GENERATED_TIMES'] ?? 1) },
  );
});
