import { expect, test } from 'vitest';
import { sampleDocument } from '../../test/sample-document.ts';
import { callTool, Workspace } from '../../test/workspace.ts';

const office = 'NWS Lincoln IL writes:\n> Winter Weather Advisory until tomorrow at noon CST';

test('alerts returns the active alerts of a place, with the texts of the office as quotations', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const { text, facts } = await callTool(client, 'alerts', { place: 'springfield' });
  expect(text).toContain('1 active alert\n');
  expect(text).toContain('Winter Weather Advisory (severity Moderate, urgency Expected, certainty Likely)');
  expect(text).toContain(office);
  expect(facts).toMatchObject({
    count: 1,
    alerts: [{ event: 'Winter Weather Advisory', instruction: expect.stringContaining('Slow down') }],
  });
});

test('alerts says that there are none', async () => {
  await using workspace = await Workspace.create();
  workspace.upstream.documents.set('/alerts/active', { type: 'FeatureCollection', features: [] });
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'alerts', { place: '39.8,-89.64' });
  expect(text).toContain('No active alerts');
  expect(facts).toMatchObject({ count: 0, alerts: [] });
});

test('get_alerts takes a state by its code or its name', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  for (const state of ['IL', 'il', 'Illinois']) {
    const { text, facts } = await callTool(client, 'get_alerts', { state });
    expect(text).toContain('1 active alert in IL');
    expect(facts).toMatchObject({ state: 'IL', count: 1 });
  }
});

test.each(['Beijing', '-33.87,151.21', '-15.8,-47.9'])(
  'alerts of %s, of which no source has alerts, are refused without a request for them',
  async (place) => {
    await using workspace = await Workspace.create();
    const nowhere = { ...sampleDocument('berlin-current'), timezone: 'Australia/Sydney' };
    workspace.upstream.documents.set('/v1/forecast', nowhere);
    for (const provider of ['open-meteo', 'nws'] as const) {
      await using client = await workspace.connect({ provider });
      expect(await callTool(client, 'alerts', { place })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^No source of official alerts for .*: NWS covers the United States/),
        facts: { error: 'not_supported' },
      });
    }
    expect(workspace.upstream.requests.filter((path) => !path.startsWith('/v1/'))).toEqual([]);
  },
);

test.each(['21.31,-157.86', '61.22,-149.9', '18.47,-66.11', '13.44,144.79', '-14.28,-170.7', '52.9,172.9'])(
  'alerts of %s, in a far state or territory, are requested',
  async (place) => {
    await using workspace = await Workspace.create();
    workspace.upstream.documents.set('/alerts/active', { type: 'FeatureCollection', features: [] });
    await using client = await workspace.connect();
    expect((await callTool(client, 'alerts', { place })).text).toContain('No active alerts');
  },
);
