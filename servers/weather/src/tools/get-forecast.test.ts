import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

test('get_forecast accepts the parameters of the quickstart, or a city with days', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const byPoint = await callTool(client, 'get_forecast', { latitude: 52.52, longitude: 13.41 });
  expect(byPoint.isError).toBe(false);
  expect(byPoint.text).toMatch(
    /^52\.52° N 13\.41° E, .*\nFri 2026-11-20: .*\nSat 2026-11-21: .*\nSun 2026-11-22: /,
  );
  const byCity = await callTool(client, 'get_forecast', { city: 'Zürich', days: 2 });
  expect(byCity.text).toMatch(
    /^Zürich, Zurich, Switzerland .*\nFri 2026-11-20: .*\nSat 2026-11-21: [^\n]*\n\n/,
  );
  for (const args of [{}, { latitude: 52 }, { city: 'Berlin', latitude: 52, longitude: 13 }]) {
    expect(await callTool(client, 'get_forecast', args)).toMatchObject({
      isError: true,
      text: 'Invalid arguments: expected either city, or latitude and longitude',
    });
  }
  const alerts = await callTool(client, 'get_alerts', { state: 'IL' });
  expect(alerts.text).toContain('Winter Weather Advisory');
});
