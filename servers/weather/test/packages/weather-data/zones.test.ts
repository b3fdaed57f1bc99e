import { expect, test } from 'vitest';
import { openMeteoDocument, type DocumentOptions } from '../../open-meteo-document.ts';
import { readJson, callTool, Workspace } from '../../workspace.ts';

interface Hours {
  readonly time: readonly string[];
  readonly temperatureC: readonly (number | null)[];
}

/** Returns the hours of one local day, from a forecast requested at a given time. */
async function hoursOf(options: DocumentOptions, date: string): Promise<Hours> {
  await using workspace = await Workspace.create();
  workspace.clock.time = Date.parse(options.askedAt);
  await using client = await workspace.connect();
  workspace.upstream.documents.set('/v1/forecast', openMeteoDocument(options));
  const { hours } = await readJson(client, `weather://52.52%2C13.42/hourly/${date}`);
  return hours as Hours;
}

/** Returns the days of a forecast. */
async function daysOf(options: DocumentOptions, days: number) {
  await using workspace = await Workspace.create();
  workspace.clock.time = Date.parse(options.askedAt);
  await using client = await workspace.connect();
  workspace.upstream.documents.set('/v1/forecast', openMeteoDocument(options));
  const { facts } = await callTool(client, 'forecast', { place: '52.52,13.42', days });
  return facts['days'] as readonly { [name: string]: unknown }[];
}

const clocks = (time: readonly string[]) => time.map((each) => each.slice(11));

// Both ways that a document may write its times: as instants, and as local times of one offset.
const formats = ['unixtime', 'iso8601'] as const;

test.each(formats)('Berlin has no 02:00 on 2026-03-29, as %s', async (timeformat) => {
  const options: DocumentOptions = {
    timezone: 'Europe/Berlin',
    start: '2026-03-27',
    days: 8,
    askedAt: '2026-03-27T09:00Z',
    timeformat,
  };
  const { time } = await hoursOf(options, '2026-03-29');
  expect(time).toHaveLength(23);
  expect(clocks(time).slice(0, 4)).toEqual(['00:00+01:00', '01:00+01:00', '03:00+02:00', '04:00+02:00']);
  expect(clocks(time).at(-1)).toBe('23:00+02:00');
  const after = await hoursOf(options, '2026-03-30');
  expect(clocks(after.time)).toEqual(
    Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00+02:00`),
  );
});

test.each(formats)('Berlin has 02:00 twice on 2026-10-25, as %s', async (timeformat) => {
  const options: DocumentOptions = {
    timezone: 'Europe/Berlin',
    start: '2026-10-23',
    days: 8,
    askedAt: '2026-10-23T09:00Z',
    timeformat,
  };
  const { time } = await hoursOf(options, '2026-10-25');
  expect(time).toHaveLength(25);
  expect(clocks(time).slice(1, 5)).toEqual(['01:00+02:00', '02:00+02:00', '02:00+01:00', '03:00+01:00']);
});

test('New York misses an hour on 2026-03-08 and repeats one on 2026-11-01', async () => {
  const spring = { timezone: 'America/New_York', start: '2026-03-06', days: 8, askedAt: '2026-03-06T15:00Z' };
  expect(clocks((await hoursOf(spring, '2026-03-08')).time).slice(1, 3)).toEqual([
    '01:00-05:00',
    '03:00-04:00',
  ]);
  const autumn = { timezone: 'America/New_York', start: '2026-10-30', days: 8, askedAt: '2026-10-30T15:00Z' };
  const { time } = await hoursOf(autumn, '2026-11-01');
  expect(time).toHaveLength(25);
  expect(clocks(time).slice(1, 3)).toEqual(['01:00-04:00', '01:00-05:00']);
});

test('clocks of Lord Howe change by half an hour', async () => {
  const autumn = {
    timezone: 'Australia/Lord_Howe',
    start: '2026-04-03',
    days: 8,
    askedAt: '2026-04-03T01:00Z',
  };
  const { time } = await hoursOf(autumn, '2026-04-05');
  // +11:00 until 02:00, which becomes 01:30 at +10:30.
  expect(clocks(time).slice(0, 4)).toEqual(['00:00+11:00', '01:00+11:00', '01:30+10:30', '02:30+10:30']);
  const spring = {
    timezone: 'Australia/Lord_Howe',
    start: '2026-10-02',
    days: 8,
    askedAt: '2026-10-02T01:00Z',
  };
  const { time: other } = await hoursOf(spring, '2026-10-04');
  expect(clocks(other).slice(0, 4)).toEqual(['00:00+10:30', '01:00+10:30', '02:30+11:00', '03:30+11:00']);
});

test('clocks of Troll change by two hours', async () => {
  const options = {
    timezone: 'Antarctica/Troll',
    start: '2026-03-27',
    days: 8,
    askedAt: '2026-03-27T09:00Z',
  };
  expect(clocks((await hoursOf(options, '2026-03-29')).time).slice(0, 3)).toEqual([
    '00:00+00:00',
    '03:00+02:00',
    '04:00+02:00',
  ]);
});

test.each([
  ['Asia/Kolkata', '+05:30'],
  ['Asia/Kathmandu', '+05:45'],
  ['Australia/Eucla', '+08:45'],
  ['Pacific/Chatham', '+13:45'],
])('%s has the offset %s', async (timezone, offset) => {
  const options = { timezone, start: '2026-11-20', days: 8, askedAt: '2026-11-20T12:00Z' };
  const { time } = await hoursOf(options, '2026-11-22');
  expect(time).toHaveLength(24);
  expect(time[0]).toBe(`2026-11-22T00:00${offset}`);
});

test('Apia has no 2011-12-30', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const options = { timezone: 'Pacific/Apia', start: '2011-12-28', days: 5, askedAt: '2026-11-20T12:00Z' };
  workspace.upstream.documents.set(
    '/v1/archive',
    openMeteoDocument({ ...options, latitude: -13.8, longitude: -171.8 }),
  );
  const { facts, isError } = await callTool(client, 'history', {
    place: '-13.8,-171.8',
    start: '2011-12-29',
    end: '2011-12-31',
  });
  expect(isError).toBe(false);
  expect((facts['days'] as { date: string }[]).map(({ date }) => date)).toEqual(['2011-12-29', '2011-12-31']);
  expect(facts['notes']).toContain('2011-12-30 did not exist in Pacific/Apia: its clocks skipped it');
});

test.each(formats)('a day covers the hours of its local clock, as %s', async (timeformat) => {
  // A warm and a wet hour at the end of the local day: if the offset were wrong by an hour, these hours would
  // be on another day.
  const warm = Date.parse('2026-10-26T22:00Z') / 1000; // 23:00 on the 26th at +01:00, midnight at +02:00
  const wet = Date.parse('2026-10-26T23:00Z') / 1000; // the amount from 23:00 to 24:00 on the 26th
  const days = await daysOf(
    {
      timezone: 'Europe/Berlin',
      start: '2026-10-23',
      days: 8,
      askedAt: '2026-10-23T09:00Z',
      timeformat,
      temperature: (instant) => (instant === warm ? 25 : 10),
      precipitation: (instant) => (instant === wet ? 7 : 0),
    },
    6,
  );
  expect(
    days.map(({ date, temperatureMaxC, precipitationMm }) => [date, temperatureMaxC, precipitationMm]),
  ).toEqual([
    ['2026-10-23', 10, 0],
    ['2026-10-24', 10, 0],
    ['2026-10-25', 10, 0],
    ['2026-10-26', 25, 7],
    ['2026-10-27', 10, 0],
    ['2026-10-28', 10, 0],
  ]);
});

test('a last day with missing hours is marked as incomplete', async () => {
  const options = { timezone: 'Europe/Berlin', start: '2026-10-23', days: 8, askedAt: '2026-10-23T09:00Z' };
  expect((await daysOf(options, 8)).at(-1)).toMatchObject({
    date: '2026-10-30',
    incomplete: '23 of 24 hours',
  });
});

test('past days before a clock change are delimited by their own offset', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  // Midnight of the 2nd in summer time, 23:00 of the 1st in standard time.
  const warm = Date.parse('2026-07-01T22:00Z') / 1000;
  workspace.upstream.documents.set(
    '/v1/archive',
    openMeteoDocument({
      timezone: 'Europe/Berlin',
      start: '2026-06-30',
      days: 4,
      askedAt: '2026-11-20T12:00Z',
      temperature: (instant) => (instant === warm ? 30 : 20),
    }),
  );
  const { facts } = await callTool(client, 'history', {
    place: '52.52,13.42',
    start: '2026-07-01',
    end: '2026-07-02',
  });
  expect(facts['days']).toMatchObject([
    { date: '2026-07-01', temperatureMaxC: 20 },
    { date: '2026-07-02', temperatureMaxC: 30 },
  ]);
  // A day more at either end, so that both have all their hours.
  expect(workspace.upstream.requests[0]).toContain('start_date=2026-06-30&end_date=2026-07-03');
});

test('long histories have no hours; days with another offset are noted', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { hourly, hourly_units, ...daily } = openMeteoDocument({
    timezone: 'Europe/Berlin',
    start: '2026-05-30',
    days: 80,
    askedAt: '2026-11-20T12:00Z',
  });
  expect([hourly, hourly_units]).not.toContain(undefined);
  workspace.upstream.documents.set('/v1/archive', daily);
  const { facts } = await callTool(client, 'history', {
    place: '52.52,13.42',
    start: '2026-06-01',
    end: '2026-07-31',
  });
  expect(facts['days']).toHaveLength(61);
  expect(facts['notes']).toEqual([
    'Some days are those of UTC+1 and not of Europe/Berlin, because their hours are not known',
  ]);
  expect(workspace.upstream.requests[0]).not.toContain('hourly=');
});

test('polar night and polar day have neither sunrise nor sunset', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const document = openMeteoDocument({
    timezone: 'Arctic/Longyearbyen',
    start: '2026-11-20',
    days: 8,
    askedAt: '2026-11-20T12:00Z',
  });
  const daily = document['daily'] as { time: number[] };
  const answer = async (place: string, length: number) => {
    const sunset = daily.time.map((midnight) => midnight + length);
    workspace.upstream.documents.set('/v1/forecast', {
      ...document,
      daily: { ...daily, sunrise: daily.time, sunset, daylight_duration: daily.time.map(() => length) },
    });
    const { text, facts } = await callTool(client, 'forecast', { place, days: 1 });
    const [day] = facts['days'] as { [name: string]: unknown }[];
    return [day!['sun'], day!['sunrise'], /sun \w+ all day/.exec(text)?.[0]];
  };
  expect(await answer('78,15', 0)).toEqual(['down all day', undefined, 'sun down all day']);
  expect(await answer('78,16', 86_400)).toEqual(['up all day', undefined, 'sun up all day']);
});
