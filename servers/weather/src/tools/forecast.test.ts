import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

test('forecast returns the next days, today first', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'forecast', { place: '52.52,13.41', days: 2 });
  expect(text.split('\n').slice(0, 3)).toEqual([
    '52.52° N 13.41° E, Europe/Berlin',
    'Fri 2026-11-20: Slight rain showers, 1.9 to 5.7 °C, precipitation 5.9 mm, chance of precipitation 90 %, ' +
      'wind up to 16 km/h, gusts 30.4 km/h, UV index 0.6, sun 07:32 to 16:05',
    'Sat 2026-11-21: Slight rain showers, 1.5 to 5.2 °C, precipitation 0.2 mm, chance of precipitation 55 %, ' +
      'wind up to 16 km/h, gusts 30.4 km/h, UV index 0.75, sun 07:33 to 16:04',
  ]);
  expect(facts['days']).toMatchObject([
    {
      date: '2026-11-20',
      temperatureMaxC: 5.7,
      sunrise: '2026-11-20T07:32+01:00',
      sunset: '2026-11-20T16:05+01:00',
    },
    { date: '2026-11-21' },
  ]);
});

test('forecast returns the hours from now on, as one list for each measure', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'forecast', {
    place: '52.52,13.41',
    days: 1,
    hourly: true,
  });
  const hours = facts['hours'] as { [name: string]: unknown[] };
  expect(hours['time']).toEqual(
    [14, 15, 16, 17, 18, 19, 20, 21, 22, 23].map((hour) => `2026-11-20T${hour}:00+01:00`),
  );
  expect(hours['temperatureC']).toHaveLength(10);
  expect(text).toContain('\n14:00 Slight rain, 5.7 °C, feels like 4 °C, precipitation 0.4 mm');
});

test('forecast of NWS computes days from hours, with the descriptions of its periods', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  const { text, facts } = await callTool(client, 'forecast', {
    place: '39.8017,-89.6437',
    units: 'imperial',
  });
  expect(text).toContain('Fri 2026-11-20: Mostly Cloudy; night: Chance Light Snow, 31 to 46 °F');
  expect(facts).toMatchObject({
    source: 'nws',
    issuedAt: '2026-11-20T12:51:00Z',
    notes: ['The source has only 2 of 7 days'],
    days: [{ date: '2026-11-20', temperatureMinF: 31, incomplete: '16 of 24 hours' }, { date: '2026-11-21' }],
  });
});
