import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

test('air_quality returns indices with their bands, and pollutants', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const { text, facts } = await callTool(client, 'air_quality', { place: 'berlin' });
  expect(text).toMatch(/^European air quality index \d+ \((?:good|fair|moderate)\)$/m);
  expect(text).toMatch(/^PM2\.5 [\d.]+ μg\/m³$/m);
  expect(facts['air']).toMatchObject({
    time: expect.stringMatching(/^2026-11-20T/),
    europeanAqi: expect.any(Number),
    europeanAqiBand: expect.any(String),
    pm25UgM3: expect.any(Number),
  });
});

test('air_quality is not supported by NWS', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  expect(await callTool(client, 'air_quality', { place: '39.8,-89.64' })).toMatchObject({
    isError: true,
    text: 'NWS has no air quality; the provider open-meteo has it',
  });
});
