import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

test('get_forecast accepts the parameters of the quickstart, or a city with days', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const byPoint = await callTool(client, 'get_forecast', { latitude: 52.52, longitude: 13.41 });
  expect(byPoint).toMatchObject({
    isError: false,
    facts: { days: [{}, {}, {}], place: { latitude: 52.52 } },
  });
  const byCity = await callTool(client, 'get_forecast', { city: 'Zürich', days: 2 });
  expect(byCity).toMatchObject({
    isError: false,
    facts: { days: [{}, {}], place: { name: 'Zürich', country: 'Switzerland' } },
  });
  for (const args of [{}, { latitude: 52 }, { city: 'Berlin', latitude: 52, longitude: 13 }]) {
    expect(await callTool(client, 'get_forecast', args)).toMatchObject({
      isError: true,
      text: 'Invalid arguments: expected either city, or latitude and longitude',
    });
  }
  const alerts = await callTool(client, 'get_alerts', { state: 'IL' });
  expect(alerts.text).toContain('Winter Weather Advisory');
});
