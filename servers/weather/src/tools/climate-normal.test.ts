import { expect, test } from 'vitest';
import { type Behaviour, reason, reply } from '../../test/upstream.ts';
import { callTool, Workspace } from '../../test/workspace.ts';

const place = '52.52,13.41';
const days = { start: '2026-11-10', end: '2026-11-12', normal: true };

/** An archive in which the high of each day is the year less 1990, in °C, and each day has 2 mm of rain. */
const archive: Behaviour = (request, response) => {
  const query = new URL(request.url!, 'http://localhost').searchParams;
  const [start, end] = [query.get('start_date')!, query.get('end_date')!].map(
    (date) => Date.parse(date) / 1000,
  );
  const time = Array.from({ length: (end! - start!) / 86_400 + 1 }, (_, index) => start! + index * 86_400);
  const year = Number(query.get('start_date')!.slice(0, 4));
  reply(200, {
    latitude: 52.52,
    longitude: 13.41,
    utc_offset_seconds: 0,
    timezone: 'GMT',
    daily_units: { time: 'unixtime', temperature_2m_max: '°C', precipitation_sum: 'mm' },
    daily: {
      time,
      temperature_2m_max: time.map(() => year - 1990),
      precipitation_sum: time.map(() => 2),
    },
  })(request, response);
};

test('history returns the climate normal: means of the same days in the 30 years before', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.always = archive;
  const { text, facts } = await callTool(client, 'history', { place, ...days });
  expect(facts['days']).toMatchObject([{ temperatureMaxC: 36 }, {}, {}]);
  expect(facts['normal']).toEqual({
    period: '1996-2025',
    years: 30,
    temperatureMaxC: 20.5,
    precipitationMm: 6,
  });
  expect(text).toContain('\nNormal (30 years, 1996-2025): high 20.5 °C, precipitation 6 mm\n');
  expect(workspace.upstream.requests).toHaveLength(31);

  await callTool(client, 'history', { place, ...days, summary: true });
  expect(workspace.upstream.requests).toHaveLength(31);
});

test('a climate normal covers the years that the archive has, but at least 10', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.always = archive;
  const year = (start: string) => callTool(client, 'history', { place, start, end: start, normal: true });
  expect((await year('1960-05-05')).facts['normal']).toMatchObject({ period: '1940-1959', years: 20 });
  expect(await year('1945-05-05')).toMatchObject({
    isError: true,
    text: 'No climate normal: only 5 of 30 years are known, and it takes 10',
  });
  expect((await year('2024-02-29')).facts['normal']).toMatchObject({ years: 30 });
});

test('a failing upstream ends the requests for a climate normal', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  let requests = 0;
  workspace.upstream.always = (request, response) => {
    const behaviour = ++requests < 3 ? archive : reason(429, 'Daily API request limit exceeded');
    behaviour(request, response);
  };
  expect((await callTool(client, 'history', { place, ...days })).facts['error']).toBe('rate_limited');
  expect(requests).toBe(3);
});

test('a climate normal of more than 31 days is refused', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.always = archive;
  const args = { place, start: '2026-01-01', end: '2026-02-01', normal: true };
  expect(await callTool(client, 'history', args)).toMatchObject({
    isError: true,
    text: 'Invalid range: 2026-01-01 to 2026-02-01; expected at most 31 days with normal',
  });
});
