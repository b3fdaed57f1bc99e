import { expect, test } from 'vitest';
import type { Client } from '@mcp/protocol/testing';
import { tell, World } from '../../test/workspace.ts';

const texts = async (client: Client, name: string, args: { [name: string]: string }) =>
  (await client.getPrompt(name, args)).messages.map(({ content }) =>
    'text' in content ? content.text : content.type,
  );

test('a briefing has the weather now, and today and tomorrow hour by hour', async () => {
  await using world = await World.create();
  await using client = await world.connect();
  const [task, now, ahead] = await texts(client, 'daily-briefing', { place: 'Zürich' });
  expect(task).toContain('name the source');
  expect(now).toContain('Now\nZürich, Zurich, Switzerland (47.36667° N 8.55° E)');
  expect(now).toContain('temperature 5.7 °C');
  expect(ahead).toContain('Today and tomorrow\n');
  expect(ahead).toContain('\n23:00 ');
  expect(ahead).toContain('Weather data by Open-Meteo.com (https://open-meteo.com/), CC BY 4.0');
});

test('a trip that a forecast reaches has that, any other the same days a year before', async () => {
  await using world = await World.create();
  await using client = await world.connect();
  const [, soon] = await texts(client, 'pack-for-trip', {
    place: '52.52,13.41',
    from: '2026-11-21',
    to: '2026-11-22',
  });
  expect(soon).toContain('Forecast\n52.52° N 13.41° E');
  expect(world.upstream.count('/v1/forecast')).toBe(1);
  const past = { from: '2027-11-12', to: '2027-11-14' };
  const [, later] = await texts(client, 'pack-for-trip', { place: '52.52,13.41', ...past });
  expect(later).toContain('No forecast reaches that far. The same days a year before:');
  expect(later).toContain('Thu 2026-11-12');
  await expect(
    texts(client, 'pack-for-trip', { place: '1,1', from: '2026-11-22', to: '2026-11-21' }),
  ).rejects.toThrow('from must not be after to');
  await expect(
    texts(client, 'pack-for-trip', { place: '1,1', from: 'soon', to: '2026-11-21' }),
  ).rejects.toThrow('A date is written as 2026-11-20, and not "soon"');
});

test('a comparison has both', async () => {
  await using world = await World.create();
  await using client = await world.connect();
  const [, a, b] = await texts(client, 'compare-places', { a: 'Zürich', b: 'Suva' });
  expect(a).toContain('Zürich, Zurich, Switzerland');
  expect(b).toContain('Suva, Central, Fiji');
  await expect(texts(client, 'compare-places', { a: 'Paris', b: 'Suva' })).rejects.toThrow(
    '"Paris" may be any of 2 places',
  );
});

test('a check has the alerts, or says why there are none', async () => {
  await using world = await World.create();
  await using client = await world.connect();
  const [, alerts, ahead] = await texts(client, 'severe-weather-check', { place: '39.8,-89.64' });
  expect(alerts).toContain('Winter Weather Advisory (severity Moderate');
  expect(ahead).toContain('39.8° N 89.64° W');
  const [, none] = await texts(client, 'severe-weather-check', { place: 'Zürich' });
  expect(none).toContain('Official alerts are not known: NWS covers the United States');
});

test('places complete from what is saved', async () => {
  await using world = await World.create();
  await using client = await world.connect();
  for (const name of ['home', 'Hut', 'office'])
    await tell(client, 'save_place', { name, place: '52.52,13.41' });
  const complete = async (prompt: string, name: string, value: string) =>
    (await client.complete({ prompt }, { name, value })).values;
  expect(await complete('daily-briefing', 'place', 'h')).toEqual(['home', 'Hut']);
  expect(await complete('compare-places', 'b', '')).toEqual(['home', 'Hut', 'office']);
  expect(await complete('pack-for-trip', 'from', '2026-12')).toContain('2026-12-01');
});
