import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

const sylt = '54.9,8.31';

test('the measures of the sea come from the marine forecast, as columns', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'forecast', {
    place: sylt,
    hours: '2026-11-21T08/2026-11-21T09',
    measures: ['waveHeight', 'wave_period', 'seaTemperature', 'temperature'],
    units: 'imperial',
  });
  expect(facts['hours']).toEqual({
    time: ['2026-11-21T08:00+01:00', '2026-11-21T09:00+01:00'],
    waveHeightFt: [expect.any(Number), expect.any(Number)],
    wavePeriodS: [8, 6],
    seaTemperatureF: [52.5, 52.5],
    temperatureF: [expect.any(Number), expect.any(Number)],
  });
  expect(text).toContain(
    '\nhour, waves ft, wave period s, sea temperature °F, temperature °F\n2026-11-21\n08, ',
  );
  expect(workspace.upstream.count('/v1/marine')).toBe(1);
  expect(workspace.upstream.count('/v1/forecast')).toBe(1);
});

test('for the sea alone, only the marine forecast is requested', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { facts } = await callTool(client, 'forecast', { place: sylt, days: 2, measures: ['waveHeight'] });
  const { time } = facts['hours'] as { time: string[] };
  expect(new Set(time.map((each) => each.slice(0, 10)))).toEqual(new Set(['2026-11-20', '2026-11-21']));
  expect(workspace.upstream.requests.map((path) => path.split('?')[0])).toEqual(['/v1/marine']);
});

test('inland, the values of the sea are no data, and a note says why', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'forecast', {
    place: '52.52,13.41',
    hours: '2026-11-20T22',
    measures: ['waveHeight', 'temperature'],
  });
  expect(facts['hours']).toMatchObject({ waveHeightM: [null], temperatureC: [expect.any(Number)] });
  expect(text).toMatch(/\n22, -, [-\d.]+\n/);
  expect(text).toContain('Note: No data of the sea: the place is not at the sea');
});

test('a marine reply without a unit or of another length is no data, and a failure is an error', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.documents.set('/v1/marine', {
    latitude: 54.9,
    longitude: 8.3,
    utc_offset_seconds: 3600,
    timezone: 'Europe/Berlin',
    hourly_units: { wave_height: 'fathom' },
    hourly: { time: [Date.UTC(2026, 10, 20, 20) / 1000], wave_height: [1], wave_period: [1, 2] },
  });
  const measures = ['waveHeight', 'wavePeriod'];
  const { facts } = await callTool(client, 'forecast', { place: sylt, measures });
  expect(facts['hours']).toMatchObject({ waveHeightM: [null], wavePeriodS: [null] });
  workspace.upstream.documents.set('/v1/marine', { hourly: 1 });
  expect(await callTool(client, 'forecast', { place: '54.8,8.31', measures })).toMatchObject({
    isError: true,
    text: 'The document of Open-Meteo has neither current nor hourly nor daily values',
  });
});

test('hours of each day: three places at 8 in the morning in one call', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'forecast', {
    place: ['52.52,13.41', '48.14,11.58', sylt],
    hours: 'T08',
    measures: ['temperature'],
    days: 2,
  });
  const { places } = facts as { places: { hours: { time: string[] } }[] };
  expect(places.map(({ hours }) => hours.time)).toEqual(
    [1, 2, 3].map(() => ['20', '21'].map((day) => `2026-11-${day}T08:00+01:00`)),
  );
  expect(text.match(/\n08, /g)).toHaveLength(6);
});
