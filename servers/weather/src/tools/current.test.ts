import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

test('current returns the weather with its source and the point of its data', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'current', { place: '52.52, 13.41' });
  expect(text).toBe(
    [
      '52.52° N 13.41° E, Europe/Berlin',
      '2026-11-20T14:45+01:00 Slight rain, temperature 5.7 °C, feels like 4 °C, humidity 75 %, ' +
        'precipitation 0.4 mm in the hour before, wind 13.3 km/h from WSW (254°), gusts 25.3 km/h, ' +
        'cloud cover 90 %, pressure 1009.4 hPa, visibility 14.2 km, snow depth 0 cm',
      '',
      'Source: Open-Meteo, fetched 2026-11-20T13:46:00Z, for a point 1.1 km away',
      'Weather data by Open-Meteo.com (https://open-meteo.com/), CC BY 4.0',
    ].join('\n'),
  );
  expect(facts).toEqual({
    current: {
      time: '2026-11-20T14:45+01:00',
      condition: 'Slight rain',
      temperatureC: 5.7,
      feelsLikeC: 4,
      humidityPercent: 75,
      precipitationMm: 0.4,
      weatherCode: 61,
      cloudCoverPercent: 90,
      pressureHpa: 1009.4,
      windSpeedKmh: 13.3,
      windDirectionDegrees: 254,
      windGustsKmh: 25.3,
      visibilityKm: 14.2,
      snowDepthCm: 0,
      isDay: true,
    },
    source: 'open-meteo',
    issuedAt: null,
    fetchedAt: '2026-11-20T13:46:00Z',
    stale: false,
    attribution: 'Weather data by Open-Meteo.com (https://open-meteo.com/), CC BY 4.0',
    place: {
      latitude: 52.52,
      longitude: 13.41,
      timezone: 'Europe/Berlin',
      elevationM: 38,
      gridLatitude: 52.53,
      gridLongitude: 13.41,
    },
    gridDistanceKm: 1.1,
  });
  expect(workspace.warnings).toEqual([]);
});

test.each([
  [
    'metric',
    'temperature 5.7 °C',
    { temperatureC: 5.7, windSpeedKmh: 13.3, pressureHpa: 1009.4, visibilityKm: 14.2 },
  ],
  [
    'imperial',
    'temperature 42.3 °F',
    { temperatureF: 42.3, windSpeedMph: 8.3, pressureInhg: 29.81, visibilityMi: 8.8 },
  ],
  [
    'si',
    'temperature 278.85 K',
    { temperatureK: 278.85, windSpeedMs: 3.7, pressurePa: 100_940, visibilityM: 14_200 },
  ],
])('current returns %s units, named in each member', async (units, words, values) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'current', { place: '52.52,13.41', units });
  expect(text).toContain(words);
  expect(facts['current']).toMatchObject(values);
});

test('current returns the observation of a station of NWS', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  const { text, facts } = await callTool(client, 'current', { place: '39.8017,-89.6437' });
  expect(text).toContain(
    '2026-11-20T07:52-06:00 Mostly Cloudy, temperature 2.2 °C, feels like -1.6 °C, dew point -1.1 °C, ' +
      'humidity 79 %, precipitation no data in the hour before, wind 14.8 km/h from NW (310°), ' +
      'pressure 1018.3 hPa, visibility 16.1 km',
  );
  expect(facts).toMatchObject({
    source: 'nws',
    issuedAt: '2026-11-20T13:52:00Z',
    attribution: 'National Weather Service (https://www.weather.gov/), public domain',
    current: { precipitationMm: null, windGustsKmh: null },
  });
  expect(workspace.upstream.requests).toEqual([
    '/points/39.8017,-89.6437',
    '/gridpoints/ILX/47,47/stations',
    '/stations/KSPI/observations/latest',
  ]);
  expect(new Set(workspace.upstream.agents)).toEqual(new Set(['weather-test']));
});

test('current fetches a fresh document once, also for concurrent calls and other processes', async () => {
  await using workspace = await Workspace.create();
  await using first = await workspace.connect();
  await using second = await workspace.connect();
  await Promise.all([1, 2, 3].map(() => callTool(first, 'current', { place: '52.52,13.41' })));
  await callTool(second, 'current', { place: '52.52,13.41' });
  expect(workspace.upstream.requests).toHaveLength(1);
  workspace.clock.time += 16 * 60_000;
  await callTool(second, 'current', { place: '52.52,13.41' });
  expect(workspace.upstream.requests).toHaveLength(2);
});

test.each([
  ['2025-01-01T00:00Z', true, 'STALE: 689 days old.'],
  ['2026-11-20T10:30Z', true, 'STALE: 3 hours old.'],
  ['2026-11-20T11:00Z', false, undefined],
  [
    '2027-01-01T00:00Z',
    false,
    'Note: The observation is 41 days in the future: the clock here or at the source is wrong',
  ],
])('the age of an observation of %s is that of its time', async (time, stale, line) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.documents.set('/v1/', {
    latitude: 52.52,
    longitude: 13.41,
    timezone: 'UTC',
    utc_offset_seconds: 0,
    current_units: { temperature_2m: '°C', pm10: 'μg/m³' },
    current: { time: Date.parse(time) / 1000, temperature_2m: 5, pm10: 12 },
  });
  for (const tool of ['current', 'air_quality']) {
    const { text, facts } = await callTool(client, tool, { place: '52.52,13.41' });
    expect(facts, tool).toMatchObject({ stale });
    if (line === undefined) expect(text, tool).not.toMatch(/^(?:STALE|Note)/m);
    else expect(text.split('\n'), tool).toContain(line);
    if (stale) expect(facts['ageSeconds']).toBe((workspace.clock.time - Date.parse(time)) / 1000);
  }
});
