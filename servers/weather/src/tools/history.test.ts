import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

const range = { start: '2026-11-10', end: '2026-11-12' };

test('history returns each day of a range', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'history', { place: '52.52,13.41', ...range });
  expect(facts['days']).toMatchObject([
    { date: '2026-11-10' },
    { date: '2026-11-11' },
    { date: '2026-11-12' },
  ]);
  expect(text).toContain('Tue 2026-11-10: ');
});

test('history returns the units of the call', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { facts } = await callTool(client, 'history', { place: '52.52,13.41', ...range, units: 'imperial' });
  expect((facts['days'] as object[])[0]).toHaveProperty('temperatureMaxF');
});

test('history is not supported by NWS', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  expect(await callTool(client, 'history', { place: '39.8,-89.64', ...range })).toMatchObject({
    isError: true,
    text: 'NWS has no history; the provider open-meteo has it',
    facts: { error: 'not_supported' },
  });
});

test('history summarizes a period with its means, totals and extremes', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const period = { place: 'berlin', start: '2026-11-10', end: '2026-11-16' };
  const { days } = (await callTool(client, 'history', period)).facts as {
    days: { date: string; temperatureMaxC: number; precipitationMm: number }[];
  };
  const { text, facts } = await callTool(client, 'history', { ...period, summary: true });
  const highs = days.map(({ temperatureMaxC }) => temperatureMaxC);
  const max = Math.max(...highs);
  const mean = highs.reduce((sum, each) => sum + each, 0) / highs.length;
  expect(facts['summary']).toMatchObject({
    days: 7,
    temperatureMaxC: {
      mean: expect.closeTo(mean, 0.1),
      max,
      maxDate: days.find(({ temperatureMaxC }) => temperatureMaxC === max)!.date,
      min: Math.min(...highs),
    },
    precipitationMm: {
      total: expect.closeTo(
        days.reduce((sum, day) => sum + day.precipitationMm, 0),
        0.1,
      ),
    },
  });
  expect(facts).not.toHaveProperty('days');
  expect(text).toContain('2026-11-10 to 2026-11-16: 7 days\n');
});

test('history counts the days of a period that meet a condition, in the units of the answer', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const period = { place: 'berlin', start: '2026-11-10', end: '2026-11-16', units: 'imperial' };
  const { days } = (await callTool(client, 'history', period)).facts as {
    days: { temperatureMaxF: number }[];
  };
  const limit = days[0]!.temperatureMaxF;
  const { facts } = await callTool(client, 'history', { ...period, count: `temperatureMax >= ${limit}` });
  expect((facts['summary'] as { count: unknown }).count).toEqual({
    condition: `temperatureMaxF>=${limit}`,
    days: days.filter(({ temperatureMaxF }) => temperatureMaxF >= limit).length,
    of: 7,
  });
});

test('history refuses a condition that it does not understand', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'history', { place: '1,1', ...range, count: 'hot days' })).toMatchObject({
    isError: true,
    text: 'Invalid count: "hot days"; expected one of temperatureMax, temperatureMin, precipitation, snowfall, windSpeed, windGusts with >, >=, < or <= and a number',
  });
});
