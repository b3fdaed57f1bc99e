import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

const days = { start: '2026-11-16', end: '2026-11-16' };

/** A call in the words of models, and the same call with the listed tool and arguments. */
const calls: readonly [string, object, string, object][] = [
  ['current', { location: 'Berlin' }, 'current', { place: 'Berlin' }],
  ['current', { city: 'Berlin', unit: 'imperial' }, 'current', { place: 'Berlin', units: 'imperial' }],
  ['current', { places: ['Berlin', 'Kathmandu'] }, 'current', { place: ['Berlin', 'Kathmandu'] }],
  ['current', { latitude: 52.52, longitude: 13.41 }, 'current', { place: '52.52,13.41' }],
  ['current', { lat: '52.52', lon: '13.41' }, 'current', { place: '52.52,13.41' }],
  ['current', { lat: 52.52, lng: 13.41 }, 'current', { place: '52.52,13.41' }],
  ['air_quality', { location: 'Berlin' }, 'air_quality', { place: 'Berlin' }],
  ['alerts', { city: 'Berlin' }, 'alerts', { place: 'Berlin' }],
  ['forecast', { city: 'Berlin', forecast_days: 2 }, 'forecast', { place: 'Berlin', days: 2 }],
  [
    'history',
    { city: 'Berlin', start_date: days.start, end_date: days.end },
    'history',
    { place: 'Berlin', ...days },
  ],
  [
    'history',
    { lat: 52.52, lon: 13.41, from: days.start, to: days.end },
    'history',
    { place: '52.52,13.41', ...days },
  ],
  ['search_place', { query: 'Berlin' }, 'search_place', { name: 'Berlin' }],
  ['get_forecast', { location: 'Berlin', days: 1 }, 'get_forecast', { city: 'Berlin', days: 1 }],
  ['get_forecast', { lat: 52.52, lon: 13.41 }, 'get_forecast', { latitude: 52.52, longitude: 13.41 }],
  ['find_place', { query: 'Berlin' }, 'search_place', { name: 'Berlin' }],
  ['find_location', { query: 'Berlin' }, 'search_place', { name: 'Berlin' }],
  ['geocode', { query: 'Berlin' }, 'search_place', { name: 'Berlin' }],
  ['get_current_weather', { city: 'Berlin' }, 'current', { place: 'Berlin' }],
  ['current_weather', { city: 'Berlin' }, 'current', { place: 'Berlin' }],
  ['get_weather_forecast', { location: 'Berlin' }, 'forecast', { place: 'Berlin' }],
  ['weather_forecast', { location: 'Berlin' }, 'forecast', { place: 'Berlin' }],
  ['get_weather_alerts', { location: 'Berlin' }, 'alerts', { place: 'Berlin' }],
  ['weather_alerts', { location: 'Berlin' }, 'alerts', { place: 'Berlin' }],
  ['get_air_quality', { location: 'Berlin' }, 'air_quality', { place: 'Berlin' }],
];

test.each(calls)('%s %j is understood as %s %j', async (tool, args, listedTool, listed) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const answer = await client.callTool(tool, args as { [name: string]: unknown });
  expect(answer.isError ?? false).toBe(false);
  expect(answer).toEqual(await client.callTool(listedTool, listed as { [name: string]: unknown }));
});

test.each([
  [{ place: 'Berlin', location: 'Paris' }, 'Unknown argument "location"'],
  [{ place: 'Berlin', lat: 1, lon: 2 }, 'Unknown argument "lat"'],
  [{ city: 'Berlin', latitude: 1, longitude: 2 }, 'Unknown argument'],
  [{ lat: 1 }, 'Unknown argument "lat"'],
  [{ lat: 'x', lon: 'y' }, 'Unknown argument "lat"'],
  [{ lat: 91, lon: 1 }, 'Invalid latitude: 91'],
])('current %j, which has several readings or none, is refused', async (args, words) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const { text, isError } = await callTool(client, 'current', args);
  expect(isError).toBe(true);
  expect(text).toContain(words);
});

test('the other names are not listed', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const listed = (await client.listTools()).map(({ name }) => name);
  for (const [tool, , listedTool] of calls)
    expect([listed.includes(listedTool), listed.includes(tool)], tool).toEqual([true, tool === listedTool]);
});
