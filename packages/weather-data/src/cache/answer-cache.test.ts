import { expect, test } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

test('a value is composed once for its key, its source and its minute', () => {
  const cache = new AnswerCache<number>();
  let composed = 0;
  const at = (key: string, source: object, nowMs: number) => cache.get(key, source, nowMs, () => ++composed);
  const [first, second] = [{}, {}];
  expect([at('a', first, 0), at('a', first, 59_999)]).toEqual([1, 1]);
  expect([at('b', first, 59_999), at('a', second, 59_999), at('a', second, 60_000)]).toEqual([2, 3, 4]);
});

test('a value that is refused is composed again', () => {
  const cache = new AnswerCache<number>();
  const source = {};
  const refused = () => {
    throw new Error('No data');
  };
  expect(() => cache.get('a', source, 0, refused)).toThrow('No data');
  expect(cache.get('a', source, 0, () => 1)).toBe(1);
});
