import { expect, test } from 'vitest';
import { openMeteoDocument } from '../../test/open-meteo-document.ts';
import { sampleDocument } from '../../test/sample-document.ts';
import { callTool, Workspace } from '../../test/workspace.ts';

const place = '52.52,13.41';

test('forecast returns exactly the requested hours and columns', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'forecast', {
    place,
    hours: '2026-11-20T22/2026-11-21T01',
    measures: ['temperature', 'wind_speed'],
  });
  expect(facts['hours']).toEqual({
    time: ['20T22', '20T23', '21T00', '21T01'].map((hour) => `2026-11-${hour}:00+01:00`),
    temperatureC: Array.from({ length: 4 }, () => expect.any(Number)),
    windSpeedKmh: Array.from({ length: 4 }, () => expect.any(Number)),
  });
  expect(facts).not.toHaveProperty('days');
  expect(text).toMatch(
    /\nhour, temperature °C, wind km\/h\n2026-11-20\n22, [-\d.]+, [\d.]+\n23, .*\n2026-11-21\n00, .*\n01, .*\n\n/,
  );
});

test('forecast returns the columns of all hours of the requested days', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { facts } = await callTool(client, 'forecast', {
    place,
    days: 2,
    measures: ['temperature'],
    units: 'imperial',
  });
  const { time, temperatureF } = facts['hours'] as { time: string[]; temperatureF: number[] };
  expect(new Set(time.map((each) => each.slice(0, 10)))).toEqual(new Set(['2026-11-20', '2026-11-21']));
  expect(temperatureF).toHaveLength(time.length);
});

test('seven days of hours with four columns take less than 12 kB', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.documents.set('/v1/forecast', weekOfHours());
  const { text, facts } = await callTool(client, 'forecast', {
    place,
    hours: '2026-11-20T00/2026-11-26T23',
    measures: ['temperature', 'precipitation', 'precipitationChance', 'windSpeed'],
  });
  const { time } = facts['hours'] as { time: string[] };
  expect(time.length).toBeGreaterThan(150);
  expect(Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(facts))).toBeLessThan(12_000);
});

test('a column without data is null, and a dash in the text', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'forecast', {
    place,
    hours: '2026-11-20T22/2026-11-20T22',
    measures: ['dewPoint'],
  });
  expect(facts['hours']).toMatchObject({ dewPointC: [null] });
  expect(text).toContain('\n22, -\n');
});

test.each([
  [
    { hours: 'tomorrow' },
    'Invalid hours: "tomorrow"; expected local hours such as 2026-11-20T06/2026-11-21T18, or T08/T18 of each day',
  ],
  [
    { hours: '2026-11-21T06/2026-11-20T06' },
    'Invalid hours: "2026-11-21T06/2026-11-20T06"; expected the first hour before the last',
  ],
  [
    { hours: '2026-02-30T06/2026-03-20T06' },
    'Invalid hours: "2026-02-30T06/2026-03-20T06"; expected local hours such as 2026-11-20T06/2026-11-21T18, or T08/T18 of each day',
  ],
  [
    { measures: ['moon'] },
    'Invalid measures: "moon"; expected temperature, feelsLike, dewPoint, humidity, precipitationChance, precipitation, snowfall, weatherCode, windSpeed, windDirection, windGusts, waveHeight, waveDirection, wavePeriod, windWaveHeight, swellHeight, swellDirection, swellPeriod, seaTemperature, seaLevel, currentSpeed, currentDirection',
  ],
])('forecast refuses %j', async (args, message) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'forecast', { place, ...args })).toMatchObject({
    isError: true,
    text: message,
  });
  expect(workspace.upstream.requests).toEqual([]);
});

test('hours beyond the forecast are no data, with the hours that are known', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, isError } = await callTool(client, 'forecast', {
    place,
    hours: '2027-11-20T22/2027-11-20T23',
  });
  expect(isError).toBe(true);
  expect(text).toMatch(
    /^No data for these hours; known hours: 2026-11-20T00:00\+01:00 to 2026-11-22T23:00\+01:00$/,
  );
});

test('hours of today that are over are returned too, with a note', async () => {
  await using workspace = await Workspace.create();
  workspace.clock.time = Date.UTC(2026, 10, 20, 15, 30);
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'forecast', {
    place,
    hours: '2026-11-20T08/2026-11-20T18',
    measures: ['temperature'],
  });
  const { time, temperatureC } = facts['hours'] as { time: string[]; temperatureC: number[] };
  expect(time).toEqual(
    Array.from({ length: 11 }, (_, index) => `2026-11-20T${String(8 + index).padStart(2, '0')}:00+01:00`),
  );
  expect(temperatureC).not.toContain(null);
  expect(facts['notes']).toEqual(['The hours before 2026-11-20 16:00 are over']);
  expect(text).toContain('Note: The hours before 2026-11-20 16:00 are over\n');
});

test('an hour of each day is also that of today', async () => {
  await using workspace = await Workspace.create();
  workspace.clock.time = Date.UTC(2026, 10, 20, 15, 30);
  await using client = await workspace.connect();
  const { facts } = await callTool(client, 'forecast', {
    place,
    hours: 'T12',
    days: 3,
    measures: ['temperature'],
  });
  expect(facts['hours']).toMatchObject({
    time: [20, 21, 22].map((day) => `2026-11-${day}T12:00+01:00`),
  });
});

test.each([
  ['2026-11-20T02/2026-11-20T10', 'No data for hours before 2026-11-20 08:00'],
  ['2026-11-21T18/2026-11-28T18', 'No data for hours after 2026-11-21 19:00'],
  ['T06/T08', 'No data for hours before 2026-11-20 08:00'],
])('a note says which of the hours %s the source does not have', async (hours, note) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  const { facts } = await callTool(client, 'forecast', {
    place: '39.8,-89.64',
    hours,
    days: 2,
    measures: ['temperature'],
  });
  expect(facts['notes']).toEqual([note]);
});

/** The answer about hours of three days, of which the source leaves some out. */
async function hoursOfThree(
  start: string,
  hours: string,
  isLeftOut: (index: number) => boolean = () => false,
) {
  await using workspace = await Workspace.create();
  workspace.clock.time = Date.parse(`${start}T10:00Z`);
  const document = openMeteoDocument({
    timezone: 'Europe/Berlin',
    start,
    days: 3,
    askedAt: `${start}T10:00Z`,
  }) as { hourly: { [name: string]: unknown[] } };
  const hourly = Object.fromEntries(
    Object.entries(document.hourly).map(([name, column]) => [
      name,
      column.filter((_, index) => !isLeftOut(index)),
    ]),
  );
  workspace.upstream.documents.set('/v1/forecast', { ...document, hourly });
  await using client = await workspace.connect();
  return await callTool(client, 'forecast', { place, days: 3, hours, measures: ['temperature'] });
}

test.each([
  ['2026-11-21T05/2026-11-21T10', [30, 31], ['No data for 2026-11-21 06:00, 2026-11-21 07:00']],
  ['T07/T08', [31], ['No data for 2026-11-21 07:00', 'The hours before 2026-11-20 11:00 are over']],
  [
    '2026-11-21T00/2026-11-21T23',
    [30, 31, 32, 33, 34, 36],
    ['No data for 6 hours from 2026-11-21 06:00 to 2026-11-21 12:00'],
  ],
  ['2026-11-21T05/2026-11-21T10', [40], undefined],
])('a note names the hours of %s that the source leaves out', async (hours, leftOut, notes) => {
  const { facts } = await hoursOfThree('2026-11-20', hours, (index) => leftOut.includes(index));
  expect(facts['notes']).toEqual(notes);
});

test('an hour that the clocks skip is named, alone and among others', async () => {
  const skipped = '2026-03-29 02:00 does not exist in Europe/Berlin: its clocks skip it';
  expect((await hoursOfThree('2026-03-28', '2026-03-29T02')).text).toBe(
    `${skipped}; known hours: 2026-03-28T00:00+01:00 to 2026-03-31T00:00+02:00`,
  );
  const { facts } = await hoursOfThree('2026-03-28', '2026-03-29T00/2026-03-29T04');
  expect(facts['notes']).toEqual([skipped]);
  expect((await hoursOfThree('2026-03-28', 'T02')).facts['notes']).toContain(skipped);
});

test('a note says that the source has fewer days of hours than are asked for', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  for (const args of [{ days: 16 }, { days: 16, hours: 'T12' }]) {
    const { facts } = await callTool(client, 'forecast', { place, measures: ['temperature'], ...args });
    expect(facts['notes']).toContain('The source has only 3 of 16 days');
  }
});

/** The sample of Berlin with the hours of seven days. */
function weekOfHours() {
  const sample = sampleDocument('berlin-forecast');
  const week = (column: number[], step: number) =>
    Array.from({ length: 7 * 24 }, (_, index) =>
      step > 0 ? column[0]! + index * step : column[index % column.length]!,
    );
  const hourly = Object.fromEntries(
    Object.entries(sample.hourly as { [name: string]: number[] }).map(([name, column]) => [
      name,
      week(column, name === 'time' ? 3600 : 0),
    ]),
  );
  return { ...sample, hourly };
}
