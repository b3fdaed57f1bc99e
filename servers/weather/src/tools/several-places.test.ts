import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

type Facts = { readonly [name: string]: unknown };

test('current returns the weather of several places in one call', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts, isError } = await callTool(client, 'current', {
    place: ['Zürich', '52.52,13.41', 'Portland, Oregon'],
  });
  expect(isError).toBe(false);
  expect(facts['places']).toMatchObject([
    { place: { name: 'Zürich' }, current: {} },
    { place: { latitude: 52.52 }, current: {} },
    { place: { admin1: 'Oregon' }, current: {} },
  ]);
  expect(text.match(/temperature /g)).toHaveLength(3);
});

test('forecast of several places has the error of a place that fails beside the others', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts, isError } = await callTool(client, 'forecast', {
    place: ['Zürich', 'Xyzzyville', 'Paris', '91,0'],
    days: 1,
  });
  expect(isError).toBe(false);
  expect(facts['places']).toMatchObject([
    { days: [{}] },
    { error: 'place_not_found', message: 'No place found with the name "Xyzzyville"' },
    { error: 'ambiguous_place', candidates: [{}, {}] },
    { error: 'invalid_argument' },
  ]);
  expect(text).toContain('Ambiguous place: "Paris" matches 2 places');
});

test('a list of places that all fail is an error', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'current', { place: ['Xyzzyville', '91,0'] })).toMatchObject({
    isError: true,
    text: 'No place found with the name "Xyzzyville"\n\nInvalid latitude: 91; expected -90 to 90',
    facts: { error: expect.any(String), places: [{ error: 'place_not_found' }, {}] },
  });
});

test.each([[[]], [Array.from({ length: 11 }, () => '1,1')]])(
  'a list of no places or of more than ten is refused',
  async (place) => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect();
    expect(await callTool(client, 'current', { place })).toMatchObject({
      isError: true,
      text: `Invalid place: a list of ${place.length} places; expected 1 to 10`,
    });
    expect(workspace.upstream.requests).toEqual([]);
  },
);

test('a list of one place is a list', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { facts } = await callTool(client, 'current', { place: ['1,1'] });
  expect((facts['places'] as Facts[]).length).toBe(1);
});

test('air_quality takes several places, too', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'air_quality', { place: ['Zürich', 'Xyzzyville', '1,1'] });
  expect(facts['places']).toMatchObject([{ air: {} }, { error: 'place_not_found' }, { air: {} }]);
  expect(text.match(/^PM2\.5 /gm)).toHaveLength(2);
});

test('a list of places that is written as JSON text is a list', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const places = ['52.52,13.41', 'Portland, Oregon'];
  for (const tool of ['current', 'forecast', 'air_quality']) {
    const { facts } = await callTool(client, tool, { place: places });
    for (const text of [JSON.stringify(places), `\n${JSON.stringify(places, null, 2)}\n`])
      expect((await callTool(client, tool, { place: text })).facts, tool).toEqual(facts);
  }
  const day = { start: '2026-11-15', end: '2026-11-15' };
  const one = await callTool(client, 'history', { place: '["52.52,13.41"]', ...day });
  expect(one.facts).toMatchObject({ days: [{}], place: { latitude: 52.52 } });
  for (const [tool, args] of [
    ['history', day],
    ['forecast', { chart: 'light' }],
  ] as const) {
    expect(await callTool(client, tool, { place: JSON.stringify(places), ...args })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Invalid place: a list of 2 places; expected one place/),
    });
  }
  expect(await callTool(client, 'current', { place: '[1,' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('[1'),
  });
});
