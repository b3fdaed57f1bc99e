import { expect, test } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { sampleDocument } from '../../test/sample-document.ts';
import { callTool, Workspace } from '../../test/workspace.ts';

const texts = async (client: Client, name: string, args: { [name: string]: string }) =>
  (await client.getPrompt(name, args)).messages.map(({ content }) =>
    'text' in content ? content.text : content.type,
  );

test('daily-briefing includes the current weather, and today and tomorrow hour by hour', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const [task, now, upcoming] = await texts(client, 'daily-briefing', { place: 'Zürich' });
  expect(task).toContain('name the source');
  expect(now).toContain('Now\nZürich, Zurich, Switzerland (47.36667° N 8.55° E)');
  expect(now).toContain('temperature 5.7 °C');
  expect(upcoming).toContain('Today and tomorrow\n');
  expect(upcoming).toContain('\n23:00 ');
  expect(upcoming).toContain('Weather data by Open-Meteo.com (https://open-meteo.com/), CC BY 4.0');
});

test('pack-for-trip includes the forecast, or the same days a year before', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const [, soon] = await texts(client, 'pack-for-trip', {
    place: '52.52,13.41',
    from: '2026-11-21',
    to: '2026-11-22',
  });
  expect(soon).toContain('Forecast\n52.52° N 13.41° E');
  expect(workspace.upstream.count('/v1/forecast')).toBe(1);
  const past = { from: '2027-11-12', to: '2027-11-14' };
  const [, later] = await texts(client, 'pack-for-trip', { place: '52.52,13.41', ...past });
  expect(later).toContain('The forecast does not cover these days. The same days a year before:');
  expect(later).toContain('Thu 2026-11-12');
  await expect(
    texts(client, 'pack-for-trip', { place: '1,1', from: '2026-11-22', to: '2026-11-21' }),
  ).rejects.toThrow('is after to');
  await expect(
    texts(client, 'pack-for-trip', { place: '1,1', from: 'soon', to: '2026-11-21' }),
  ).rejects.toThrow('Invalid from: "soon"; expected a date such as 2026-11-20');
});

test.each([
  ['a leap day between the years', '2024-11-18', '2023-11-18', 'a year before'],
  ['a trip that begins on a leap day', '2024-02-29', '2023-02-28', 'a year before'],
  ['a trip in a year and more', '2028-05-04', '2026-05-04', '2 years before'],
])('pack-for-trip shows the same days of an earlier year: %s', async (_, date, shown, words) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const history = sampleDocument('berlin-history');
  const daily = history['daily'] as { readonly time: readonly number[] };
  const time = [Date.parse(`${shown}T00:00+01:00`) / 1000, ...daily.time.slice(1)];
  workspace.upstream.documents.set('/v1/archive', { ...history, daily: { ...daily, time } });
  const trip = { place: '52.52,13.41', from: date, to: date };
  const [, data] = await texts(client, 'pack-for-trip', trip);
  expect(data).toContain(`The same days ${words}:`);
  expect(data).toContain(` ${shown}:`);
});

test('compare-places includes both forecasts', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const [, a, b] = await texts(client, 'compare-places', { a: 'Zürich', b: 'Suva' });
  expect(a).toContain('Zürich, Zurich, Switzerland');
  expect(b).toContain('Suva, Central, Fiji');
  await expect(texts(client, 'compare-places', { a: 'Paris', b: 'Suva' })).rejects.toThrow(
    'Ambiguous place: "Paris" matches 2 places',
  );
});

test('severe-weather-check includes the alerts, or why there are none', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const [, alerts, upcoming] = await texts(client, 'severe-weather-check', { place: '39.8,-89.64' });
  expect(alerts).toContain('Winter Weather Advisory (severity Moderate');
  expect(upcoming).toContain('39.8° N 89.64° W');
  const [, none] = await texts(client, 'severe-weather-check', { place: 'Suva' });
  expect(none).toContain('Official alerts are not available: No source of official alerts for Suva');
});

test('prompts complete the names of saved places', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  for (const name of ['home', 'Hut', 'office'])
    await callTool(client, 'save_place', { name, place: '52.52,13.41' });
  const complete = async (prompt: string, name: string, value: string) =>
    (await client.complete({ prompt }, { name, value })).values;
  expect(await complete('daily-briefing', 'place', 'h')).toEqual(['home', 'Hut']);
  expect(await complete('compare-places', 'b', '')).toEqual(['home', 'Hut', 'office']);
  expect(await complete('pack-for-trip', 'from', '2026-12')).toContain('2026-12-01');
});
