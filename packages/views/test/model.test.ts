import { describe, expect, test } from 'vitest';
import {
  cleanText,
  escapedText,
  extentOf,
  roundTicks,
  scaleOf,
  smoothPath,
  withoutGaps,
} from '../src/model.ts';

describe('a text of others', () => {
  test.each([
    ['Alt  a\tb\n\n\n\nc ', 100, 'Alt a b\n\nc'],
    ['ab\u202ecd\u2066ef\u200b', 100, 'ab cd ef'],
    ['e\u0301\u0301\u0301\u0301\u0301', 100, 'e\u0301\u0301\u0301'],
    ['\ud83d\ude00', 1, '…'],
    ['x'.repeat(10_000_000), 3, 'xxx…'],
    [7, 100, ''],
    [null, 100, ''],
  ])('%j, at most %i characters', (text, maxLength, shown) => {
    expect(cleanText(text, maxLength).trim()).toBe(shown);
  });
});

test.each([
  ['a  b\n\nc\td\r\n', 100, 'a  b\n\nc\\td\\r\n'],
  ['ab\u202ecd\u0000', 100, 'ab\\u{202e}cd\\u{0}'],
  ['e\u0301\u0301\u0301\u0301', 100, 'e\u0301\u0301\u0301'],
  ['\u{e0041}x', 100, '\\u{e0041}x'],
  ['x'.repeat(10_000_000), 3, 'xxx…'],
  [7, 100, ''],
])('%j is shown with its hidden characters', (text, maxLength, shown) => {
  expect(escapedText(text, maxLength)).toBe(shown);
});

test.each([
  [[1.2, 5.7], 4, [0, 2, 4, 6]],
  [[-3, 3], 4, [-4, -2, 0, 2, 4]],
  [[10, 10], 4, [10, 10.000_000_000_5]],
  [[0.01, 0.03], 4, [0.01, 0.015, 0.02, 0.025, 0.03]],
  [[34.2, 41.9], 4, [34, 36, 38, 40, 42]],
] as const)('round ticks of %j', (extent, count, ticks) => {
  expect(roundTicks(extent, count)[0]).toBe(ticks[0]);
  if (extent[0] !== extent[1]) expect(roundTicks(extent, count)).toEqual(ticks);
});

test('scales', () => {
  const scale = scaleOf([10, 20], 100, 0);
  expect([10, 15, 20].map(scale)).toEqual([100, 50, 0]);
  expect(scaleOf([5, 5], 0, 100)(5)).toBe(0);
  expect([extentOf([null, 3, -1]), extentOf([null])]).toEqual([[-1, 3], undefined]);
});

test('a smooth path goes through its points and never beyond two neighbours', () => {
  const points = [0, 10, 10, 2, 8, 8].map((y, index) => ({ x: index * 30, y }));
  const path = smoothPath(points);
  const curves = path
    .split('C')
    .slice(1)
    .map((curve) => curve.split(' ').map(Number));
  expect(path).toMatch(/^M0 0C/);
  for (const [index, [, y1, , y2, x, y]] of curves.entries()) {
    const [from, to] = [points[index]!, points[index + 1]!];
    expect([x, y]).toEqual([to.x, to.y]);
    for (const control of [y1!, y2!]) {
      expect(control).toBeGreaterThanOrEqual(Math.min(from.y, to.y));
      expect(control).toBeLessThanOrEqual(Math.max(from.y, to.y));
    }
  }
  expect(smoothPath([])).toBe('');
});

test('a line has gaps where values are unknown', () => {
  const points = [1, null, 3, 4, null, 6, 7].map((y, x) => ({ x, y }));
  expect(withoutGaps(points).map((part) => part.map(({ y }) => y))).toEqual([
    [3, 4],
    [6, 7],
  ]);
});
