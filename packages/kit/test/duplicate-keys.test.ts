import { expect, test } from 'vitest';
import { duplicateKeys } from '../src/jsonc.ts';

test('keys that an object has twice, with their lines', () => {
  expect(
    duplicateKeys('\uFEFF{\n"a": {"x": 1, "x": 2},\n"b": [{"y": 1,\n"y": 2}], // "a"\n"a": 3,}'),
  ).toEqual([
    { path: ['a'], line: 2, later: 5 },
    { path: ['a', 'x'], line: 2, later: 2 },
    { path: ['b', 0, 'y'], line: 3, later: 4 },
  ]);
});

test('no text is too broken or too deep', () => {
  for (const text of ['', '{', '[1', '['.repeat(100_000)]) expect(duplicateKeys(text)).toEqual([]);
});
