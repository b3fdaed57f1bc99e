import { expect, test } from 'vitest';
import { readJson, callTool, Workspace } from '../../test/workspace.ts';

test('every resource is the structured content of its tool, as JSON', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await callTool(client, 'save_place', { name: 'my home', place: '52.52,13.41' });
  const { contents } = await client.readResource('weather://my%20home/current');
  expect(contents).toMatchObject([{ uri: 'weather://my%20home/current', mimeType: 'application/json' }]);
  const { facts } = await callTool(client, 'current', { place: 'my home' });
  expect(await readJson(client, 'weather://my%20home/current')).toEqual(facts);
  expect(await readJson(client, 'weather://52.52%2C13.41/forecast?days=2&units=imperial')).toMatchObject({
    days: [{ date: '2026-11-20', temperatureMaxF: 42.3 }, { date: '2026-11-21' }],
  });
  expect(await readJson(client, 'weather://Z%C3%BCrich/forecast')).toMatchObject({
    place: { name: 'Zürich' },
  });
  const { hours } = await readJson(client, 'weather://my%20home/hourly/2026-11-21');
  expect((hours as { time: string[] }).time).toHaveLength(24);
  expect(await readJson(client, 'weather://my%20home/air-quality')).toMatchObject({
    air: { europeanAqi: 26, europeanAqiBand: 'fair' },
  });
  expect(await readJson(client, 'weather://my%20home/history/2026-11-11')).toMatchObject({
    days: [{ date: '2026-11-11' }],
  });
  expect(await readJson(client, 'weather://39.8%2C-89.64/alerts')).toMatchObject({ count: 1 });
  expect(await readJson(client, 'weather://places')).toEqual({
    places: [{ saved: 'my home', place: '52.52,13.41', latitude: 52.52, longitude: 13.41 }],
  });
});

test.each([
  ['weather://Xyzzyville/current', 'No place found with the name "Xyzzyville"'],
  ['weather://Paris/current', 'Ambiguous place: "Paris" matches 2 places'],
  ['weather://91%2C0/current', 'Invalid latitude: 91; expected -90 to 90'],
  ['weather://1%2C1/forecast?days=17', 'Invalid days: "17"; expected 1 to 16'],
  ['weather://1%2C1/forecast?days=x', 'Invalid days: "x"; expected 1 to 16'],
  ['weather://1%2C1/hourly/2026-13-01', 'Invalid date: "2026-13-01"; expected a date such as 2026-11-20'],
  [
    'weather://1%2C1/hourly/2027-01-01',
    'No hours of 2027-01-01: hours are known from 2026-11-20 to 2026-11-22',
  ],
  ['weather://1%2C1/history/2099-01-01', 'Invalid end: 2099-01-01 is in the future; use forecast'],
  ['weather://1%2C1/tides', 'No such resource: "weather://1%2C1/tides"'],
  ['weather://..%2F..%2Fetc%2Fpasswd/current', 'No place found with the name "../../etc/passwd"'],
])('%s is not found, with the reason', async (uri, message) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await expect(client.readResource(uri)).rejects.toThrow(message);
});

test('saved places are listed and completed', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await callTool(client, 'save_place', { name: 'home', place: 'Zürich' });
  await callTool(client, 'save_place', { name: 'Sp', place: 'Springfield, IL' });
  const uris = (await client.listResources()).map(({ uri }) => uri);
  expect(uris).toEqual([
    'weather://places',
    'weather://home/current',
    'weather://Sp/current',
    'weather://home/forecast',
    'weather://Sp/forecast',
    'weather://home/alerts',
    'weather://Sp/alerts',
  ]);
  for (const uri of uris) await client.readResource(uri);
  const complete = async (resource: string, name: string, value: string) =>
    (await client.complete({ resource }, { name, value })).values;
  expect(await complete('weather://{place}/current', 'place', 'H')).toEqual(['home']);
  expect(await complete('weather://{place}/forecast{?days,units}', 'units', 'i')).toEqual(['imperial']);
  expect(await complete('weather://{place}/hourly/{date}', 'date', '2026-11-2')).toEqual(
    ['20', '21', '22', '23', '24', '25', '26', '27', '28', '29'].map((day) => `2026-11-${day}`),
  );
  expect((await complete('weather://{place}/history/{date}', 'date', ''))[0]).toBe('2026-11-19');
});
