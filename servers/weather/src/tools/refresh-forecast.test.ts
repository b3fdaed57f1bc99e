import { viewMimeType, viewsCapability } from '@mcp/views';
import { expect, test } from 'vitest';
import { Workspace, type WorkspaceOptions } from '../../test/workspace.ts';

/** A client that shows views, of a server with the sample. */
async function showing(workspace: Workspace, options: WorkspaceOptions = {}) {
  const client = await workspace.connect({ demo: true, ...options }, { extensions: viewsCapability });
  const refresh = async (args: Record<string, unknown>) => {
    const { structuredContent, isError } = await client.callTool('refresh_forecast', args);
    expect(isError).toBeUndefined();
    return structuredContent as { now: string; units: string; places: Record<string, unknown>[] };
  };
  return { client, refresh, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

test('a client that shows views finds the page of a forecast, and reads it', async () => {
  await using workspace = await Workspace.create();
  await using session = await showing(workspace);
  const tools = await session.client.listTools();
  const views = tools.flatMap(({ name, _meta }) => (_meta?.['ui'] ? [[name, _meta['ui']]] : []));
  expect(views).toEqual([
    ['forecast', { resourceUri: 'ui://weather/forecast' }],
    ['get_forecast', { resourceUri: 'ui://weather/forecast' }],
    ['refresh_forecast', { visibility: ['app'] }],
  ]);
  const { contents } = await session.client.readResource('ui://weather/forecast');
  expect(contents).toMatchObject([
    { mimeType: viewMimeType, text: expect.stringMatching(/^<!doctype html>/) },
  ]);
  // The limit of the page is 80 kB; it loads nothing else.
  const { text } = contents[0] as { text: string };
  expect(Buffer.byteLength(text)).toBeLessThan(80_000);
  expect(text).not.toMatch(/\b(?:src|href)="|innerHTML|\beval\b|\bFunction\(/);
});

test('another client has no such page and no such tool', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  await expect(client.callTool('refresh_forecast', { place: 'Berlin' })).rejects.toThrow('Unknown tool');
  await expect(client.readResource('ui://weather/forecast')).rejects.toThrow();
  const resources = await client.listResources();
  expect(resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([]);
});

test('it returns metric numbers, whatever the units of the server are', async () => {
  await using workspace = await Workspace.create();
  await using session = await showing(workspace, { units: 'imperial' });
  const { now, units, places } = await session.refresh({ place: 'Berlin', days: 2 });
  expect([now, units]).toEqual(['2026-11-20T13:46:00.000Z', 'imperial']);
  expect(places).toMatchObject([
    {
      asked: 'Berlin',
      forecast: { days: [{ temperatureMaxC: 5.7 }, { date: '2026-11-21' }], place: { name: 'Berlin' } },
      current: { current: { temperatureC: 5.7 } },
      alerts: { alerts: [{ event: 'Yellow Wind warning' }] },
    },
  ]);
  expect((await session.refresh({ place: 'Berlin', units: 'si' })).units).toBe('si');
});

test('a part that is missing, or a place that fails, is beside the others', async () => {
  await using workspace = await Workspace.create();
  await using session = await showing(workspace);
  const { places } = await session.refresh({ place: ['Tokyo', 'Nowhere'] });
  expect(places).toMatchObject([
    { asked: 'Tokyo', forecast: { place: { name: 'Tokyo' } }, alerts: { error: 'no_data' } },
    { asked: 'Nowhere', error: 'place_not_found' },
  ]);
});

test('an ambiguous name has its candidates', async () => {
  await using workspace = await Workspace.create();
  await using session = await showing(workspace, { demo: false });
  const { places } = await session.refresh({ place: 'Portland' });
  expect(places).toMatchObject([{ asked: 'Portland', error: 'ambiguous_place' }]);
  expect((places[0]!['candidates'] as object[]).length).toBeGreaterThan(1);
});

test('it takes the arguments of both tools that have the view', async () => {
  await using workspace = await Workspace.create();
  await using session = await showing(workspace);
  for (const args of [{ city: 'Berlin' }, { latitude: 52.52, longitude: 13.41 }, { locations: ['Berlin'] }]) {
    const { places } = await session.refresh({ ...args, days: 1 });
    expect(places).toMatchObject([{ forecast: { place: { latitude: expect.closeTo(52.52, 1) } } }]);
  }
});

test('a list of no or too many places is refused', async () => {
  await using workspace = await Workspace.create();
  await using session = await showing(workspace);
  for (const place of [[], Array.from({ length: 11 }, () => 'Berlin')]) {
    const { isError, content } = await session.client.callTool('refresh_forecast', { place });
    expect(isError).toBe(true);
    expect(content).toMatchObject([
      { text: `Invalid place: a list of ${place.length} places; expected 1 to 10` },
    ]);
  }
});
