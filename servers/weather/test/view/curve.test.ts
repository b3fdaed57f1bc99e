import { describe, expect, test } from 'vitest';
import { curveOf, nearestIndex } from '../../view/model/curve.ts';
import { dayRanges } from '../../view/model/day-ranges.ts';
import { extentOf, roundTicks, scaleOf } from '../../view/model/scale.ts';
import { smoothPath, withoutGaps } from '../../view/model/smooth-path.ts';
import { hoursFrom } from './hours.ts';

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

describe('the curve of two days', () => {
  const hours = hoursFrom('2026-11-20T14:00', '+01:00', 49, (index) => ({
    temperature: index === 5 ? null : index % 24,
    precipitation: index === 3 ? 2 : 0,
    isDay: index < 4 || index > 18,
  }));
  const options = { width: 734, units: 'metric', now: Date.parse('2026-11-20T13:30Z') } as const;
  const curve = curveOf(hours, options);
  const xOf = (index: number) => curve.points[index]!.x;

  test('has its first hour at the left and its last at the right', () => {
    expect([xOf(0), xOf(48)]).toEqual([40, 720]);
    expect(curve.nowX).toBeCloseTo((xOf(0) + xOf(1)) / 2);
  });

  test('draws the precipitation in the hour before its time', () => {
    expect(curve.bars).toHaveLength(1);
    const [{ x, width } = { x: 0, width: 0 }] = curve.bars;
    expect(x).toBeGreaterThan(xOf(2));
    expect(x + width).toBeLessThan(xOf(3));
  });

  test('has a gap where the temperature is unknown', () => {
    expect(curve.lines).toHaveLength(2);
    expect(curve.points[5]!.y).toBeNull();
  });

  test('has nights, midnights and weekdays', () => {
    expect(curve.nights).toEqual([{ x: xOf(4), width: xOf(19) - xOf(4) }]);
    expect(curve.midnights).toEqual([xOf(10), xOf(34)]);
    expect(curve.days.map(({ text }) => text)).toEqual(['Fri', 'Sat', 'Sun']);
  });

  test('labels as many hours as there is room for', () => {
    expect(curve.hours.map(({ text }) => text).slice(0, 3)).toEqual(['15', '18', '21']);
    const wide = curveOf(hours, { ...options, width: 2_400 });
    expect(wide.hours).toHaveLength(49);
  });

  test('converts its ticks and captions', () => {
    const imperial = curveOf(hours, { ...options, units: 'imperial' });
    expect(imperial.grid.map(({ text }) => text)).toEqual(['20°', '40°', '60°', '80°']);
    expect(imperial.captions.map(({ text }) => text)).toEqual([
      'Precipitation, up to 0.08 in an hour',
      'Wind and gusts, up to 12.4 mph',
    ]);
    expect(curveOf(hours, { ...options, units: 'si' }).grid[0]!.text).toBe('270');
  });

  test('finds the hour at a place', () => {
    expect(nearestIndex(curve, xOf(7) + 3)).toBe(7);
    expect([nearestIndex(curve, -50), nearestIndex(curve, 9_999)]).toEqual([0, 48]);
  });

  test('draws nothing of no hours', () => {
    expect(curveOf([], options)).toMatchObject({ lines: [], bars: [], hours: [], days: [], nowX: undefined });
  });
});

test('the range of each day is between the extremes of all', () => {
  const day = {
    date: '2026-11-20',
    condition: '',
    sky: 'clear',
    precipitation: null,
    chance: null,
    wind: null,
  } as const;
  const ranges = dayRanges([
    { ...day, low: 0, high: 10 },
    { ...day, low: 5, high: 20 },
    { ...day, low: null, high: 3 },
  ]);
  expect(ranges).toEqual([{ from: 0, to: 50 }, { from: 25, to: 100 }, undefined]);
});
