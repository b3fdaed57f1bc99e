import { describe, expect, test } from 'vitest';
import { curveOf, nearestIndex } from '../../view/model/curve.ts';
import { dayRanges } from '../../view/model/day-ranges.ts';
import { hoursFrom } from './hours.ts';

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
