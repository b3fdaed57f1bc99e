import { expect, test } from 'vitest';
import { cut, table, textWidth } from './table.ts';

test('columns are aligned, also with wide characters', () => {
  expect(
    table(
      [
        ['日本', 'a'],
        ['xyz', 'b'],
      ],
      80,
    ),
  ).toEqual(['日本  a', 'xyz   b']);
});

test.each([20, 40])('no line is wider than %s columns', (width) => {
  const rows = [
    ['a-long-server-name-that-does-not-fit', 'a description which is much longer than the terminal'],
    ['s', '説明がとても長い'.repeat(8)],
  ];
  for (const line of table(rows, width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
});

test('control sequences of a server do not reach a table', () => {
  expect(table([['\u001b[2Jname', 'line\nbreak']], 80)).toEqual(['name  line break']);
});

test('a text is cut between characters', () => {
  expect(cut('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
  expect(cut('👩‍🚀👩‍🚀', 3)).toBe('👩‍🚀…');
});
