import { describe, expect, test } from 'vitest';
import { ageText, currentIndex, dateText, localNow, momentText } from '../../view/model/dates.ts';
import { degrees, valueText, windText } from '../../view/model/quantities.ts';
import { readDelay } from '@mcp/views/model';
import { readTimes } from '../../view/model/read-times.ts';
import { skyOf } from '../../view/model/sky.ts';
import { hoursFrom } from './hours.ts';

describe('the time at the place', () => {
  test.each([
    ['+01:00', { date: '2026-11-20', clock: '14:46', offset: 'UTC+1' }],
    ['+05:45', { date: '2026-11-20', clock: '19:31', offset: 'UTC+5:45' }],
    ['-06:00', { date: '2026-11-20', clock: '07:46', offset: 'UTC−6' }],
    ['+13:00', { date: '2026-11-21', clock: '02:46', offset: 'UTC+13' }],
    ['+00:00', { date: '2026-11-20', clock: '13:46', offset: 'UTC' }],
  ])('with the offset %s', (offset, expected) => {
    const hours = hoursFrom('2026-11-20T00:00', offset, 48);
    const now = Date.parse('2026-11-20T13:46Z');
    expect(localNow(hours, now)).toEqual(expected);
    expect(hours[currentIndex(hours, now)]!.at).toBe(
      Date.parse('2026-11-20T13:00Z') + (offset === '+05:45' ? 900_000 : 0),
    );
  });

  test('has the offset of the present hour when clocks change', () => {
    const hours = [
      ...hoursFrom('2026-03-29T00:00', '+01:00', 2),
      ...hoursFrom('2026-03-29T03:00', '+02:00', 2),
    ];
    const clocks = ['00:59', '01:00'].map((utc) => localNow(hours, Date.parse(`2026-03-29T${utc}Z`)).clock);
    expect(clocks).toEqual(['01:59', '03:00']);
  });

  test('is in UTC without hours', () => {
    expect(localNow([], 0)).toEqual({ date: '1970-01-01', clock: '00:00', offset: 'UTC' });
  });
});

test('dates and ages', () => {
  expect(dateText('2026-11-28')).toBe('Sat 28 Nov');
  expect(momentText('2026-11-28T18:00+01:00')).toBe('Sat 28 Nov, 18:00');
  expect(momentText('tomorrow')).toBe('');
  const ages = [30_000, 119 * 60_000, 120 * 60_000, 49 * 3_600_000].map(ageText);
  expect(ages).toEqual(['just now', '119 min ago', '2 h ago', '2 days ago']);
});

test('values in each system of units', () => {
  const systems = ['metric', 'imperial', 'si'] as const;
  expect(systems.map((units) => valueText(-5.04, 'temperature', units))).toEqual([
    '−5 °C',
    '22.9 °F',
    '268.11 K',
  ]);
  expect(systems.map((units) => degrees(-0.4, units))).toEqual(['0°', '31°', '273 K']);
  const blowing = { wind: 16, gusts: 30, direction: 247 };
  expect(windText(blowing, 'si')).toBe('4.4 m/s from WSW, gusts 8.3 m/s');
  expect(windText({ ...blowing, wind: 0, gusts: null }, 'metric')).toBe('calm');
  expect(windText({ wind: null, gusts: null, direction: null }, 'metric')).toBe('no data');
});

test.each([
  [0, '', 'clear'],
  [2, '', 'partly'],
  [61, '', 'rain'],
  [67, '', 'sleet'],
  [86, '', 'snow'],
  [99, '', 'thunder'],
  [null, 'Mostly Cloudy; night: Chance Light Snow', 'cloudy'],
  [null, 'Slight Chance T-storms', 'thunder'],
  [null, 'Mostly Clear', 'partly'],
  [1_000, 'Sunny', 'clear'],
  [null, '', 'unknown'],
])('the sky of the code %j and the words "%s" is %s', (code, words, sky) => {
  expect(skyOf(code, words)).toBe(sky);
});

describe('the next read', () => {
  const state = { lastRead: 10_000, isVisible: true, isWanted: false };
  test.each([
    ['is at once at first', { ...state, lastRead: undefined, isWanted: true }, 0],
    ['is not before the first is wanted', { ...state, lastRead: undefined }, undefined],
    ['is after a minute', state, readTimes.everyMs - 2_000],
    [
      'is soon if the user wants it, but not sooner than allowed',
      { ...state, isWanted: true },
      readTimes.gapMs - 2_000,
    ],
    ['is never while the page is hidden', { ...state, isWanted: true, isVisible: false }, undefined],
  ])('%s', (_, given, delay) => {
    expect(readDelay(given, readTimes, 12_000)).toBe(delay);
  });

  test('is at once if its time has passed', () => {
    expect(readDelay(state, readTimes, 1_000_000)).toBe(0);
  });
});
