import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAirQuality } from '../providers/open-meteo/air-quality.ts';
import { coordinatesText, distanceKm, parseCoordinates } from '../places/coordinates.ts';
import { WeatherError } from '../errors.ts';
import { readCandidates } from '../providers/open-meteo/geocoding.ts';
import { readAlerts } from '../providers/nws/alerts.ts';
import { readNwsForecast, readObservation, readPoint } from '../providers/nws/format.ts';
import { readSeries } from '../providers/open-meteo/format.ts';
import { differenceInUnit, inUnit, unitOf, unitSystems } from './units.ts';
import { addDays, Zone } from './time-zone.ts';

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });

test('coordinates in an answer are accepted as an argument', () => {
  fc.assert(
    fc.property(latitude, longitude, (north, east) => {
      const place = {
        latitude: Math.round(north * 1e4) / 1e4 + 0,
        longitude: Math.round(east * 1e4) / 1e4 + 0,
      };
      expect(parseCoordinates(coordinatesText(place))).toEqual(place);
    }),
  );
});

test('a distance is symmetric and at most half of the circumference', () => {
  fc.assert(
    fc.property(latitude, longitude, latitude, longitude, (a, b, c, d) => {
      const [here, there] = [
        { latitude: a, longitude: b },
        { latitude: c, longitude: d },
      ];
      expect(distanceKm(here, there)).toBeCloseTo(distanceKm(there, here), 6);
      expect(distanceKm(here, there)).toBeLessThanOrEqual(20_016);
    }),
  );
});

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Sao_Paulo',
];

test('every instant has a unique text and lies between the start and end of its date', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 1_000_000, max: 2_900_000 }),
      (name, quarters) => {
        const zone = Zone.of(name);
        const instant = quarters * 900;
        expect(Date.parse(zone.textAt(instant)) / 1000).toBe(instant);
        const date = zone.dateAt(instant);
        expect(zone.startOf(date)).toBeLessThanOrEqual(instant);
        expect(zone.endOf(date)).toBeGreaterThan(instant);
        expect(zone.startOf(addDays(date, 1))).toBe(zone.endOf(date));
      },
    ),
    { numRuns: 500 },
  );
});

test('a converted value is never -0 and differs only by rounding', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -90, max: 60, noNaN: true }),
      fc.constantFrom(...unitSystems),
      (celsius, system) => {
        const unit = unitOf('temperature', system);
        const reported = inUnit(celsius, unit);
        expect(Object.is(reported, -0)).toBe(false);
        expect(Math.abs(reported - unit.from(celsius))).toBeLessThan(0.051);
      },
    ),
  );
});

test.each([
  ['metric', 1],
  ['imperial', 1.8],
  ['si', 1],
] as const)(
  'a difference of 1 °C is converted to %s without the offset of the scale',
  (system, difference) => {
    expect(differenceInUnit(1, unitOf('temperature', system))).toBe(difference);
    expect(Object.is(differenceInUnit(-0.001, unitOf('temperature', system)), -0)).toBe(false);
  },
);

/** Names of members of upstream documents. The tests give these members arbitrary values. */
const names = [
  'latitude',
  'longitude',
  'timezone',
  'utc_offset_seconds',
  'current',
  'hourly',
  'daily',
  'time',
  'temperature_2m',
  'hourly_units',
  'sunrise',
  'results',
  'name',
  'features',
  'properties',
  'periods',
  'startTime',
  'geometry',
  'coordinates',
  'type',
  'references',
  'windSpeed',
  '__proto__',
];
const document = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      null,
      true,
      0,
      -1,
      1e308,
      1_795_182_300,
      '',
      'x',
      'Europe/Berlin',
      '2026-11-20T14:00',
      '2026-11-20T14:00:00-06:00',
      '5 to 10 mph',
      'Point',
    ),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 8 }),
  ),
})).any;

test.each<[string, (json: unknown) => unknown]>([
  ['a series', (json) => readSeries(json, undefined)],
  ['air quality', (json) => readAirQuality(json, undefined)],
  ['places', readCandidates],
  ['alerts', readAlerts],
  ['a point', readPoint],
  ['an observation', (json) => readObservation(json, undefined)],
  ['a forecast of NWS', (json) => readNwsForecast(json, json, undefined)],
])('%s parses any document or rejects it as an invalid reply', (_, read) => {
  fc.assert(
    fc.property(document, (json) => {
      try {
        read(json);
      } catch (error) {
        expect(error).toBeInstanceOf(WeatherError);
        expect((error as WeatherError).kind).toBe('invalid_reply');
      }
    }),
    { numRuns: 2_000 },
  );
});
