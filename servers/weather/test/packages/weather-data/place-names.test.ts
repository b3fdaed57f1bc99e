import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../workspace.ts';

test('an unknown place is not found, and one-letter names are refused', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'current', { place: 'Xyzzyville' })).toMatchObject({
    isError: true,
    text: 'No place found with the name "Xyzzyville"',
    facts: { error: 'place_not_found', name: 'Xyzzyville' },
  });
  expect(await callTool(client, 'search_place', { name: 'Xyzzyville' })).toMatchObject({
    isError: false,
    facts: { count: 0, places: [] },
  });
  const asked = workspace.upstream.requests.length;
  expect((await callTool(client, 'current', { place: 'B' })).text).toBe(
    'Invalid name: "B"; expected at least 2 letters',
  );
  expect((await callTool(client, 'current', { place: ' ' })).text).toBe(
    'Empty place; expected coordinates such as 52.52,13.41, a saved place, or a name',
  );
  expect(workspace.upstream.requests).toHaveLength(asked);
  // Two letters are only found as a whole name.
  expect((await callTool(client, 'current', { place: 'Pa' })).text).toBe('No place found with the name "Pa"');
});

test.each([
  ['Springfield', ['Illinois', 'Missouri', 'Massachusetts', 'Oregon', 'Ohio']],
  ['Paris', ['Île-de-France', 'Texas']],
  ['London', ['England', 'Ontario']],
  ['San José', ['San José', 'California']],
])('%s is ambiguous: the error lists its candidates', async (name, states) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { isError, text, facts } = await callTool(client, 'forecast', { place: name });
  expect(isError).toBe(true);
  expect(text).toContain(`Ambiguous place: "${name}" matches ${states.length} places`);
  expect(facts['error']).toBe('ambiguous_place');
  expect(facts['candidates']).toMatchObject(
    states.map((admin1) => ({ admin1, feature: expect.any(String) })),
  );
  // Each candidate says how to ask for it.
  const [{ place }] = facts['candidates'] as [{ place: string }];
  expect((await callTool(client, 'forecast', { place })).isError).toBe(false);
});

test('a city and a state of one name are merged; the most populous is taken, with a note', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { facts } = await callTool(client, 'current', { place: 'Berlin' });
  expect(facts).toMatchObject({
    place: { name: 'Berlin', country: 'Germany' },
    notes: ['1 other place has the same name; this place is by far the most populous'],
  });
});

test('a state or country after a comma qualifies a name', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const found = async (place: string) => (await callTool(client, 'current', { place })).facts['place'];
  expect(await found('Portland, Oregon')).toMatchObject({ admin1: 'Oregon' });
  expect(await found('Portland, ME')).toMatchObject({ admin1: 'Maine' });
  expect(await found('Los Angeles, Calif')).toMatchObject({ admin1: 'California' });
  expect(await found('Paris, France, EU')).toMatchObject({ country: 'France' });
  expect(await found('Paris, fr')).toMatchObject({ country: 'France' });
  expect(await found('London, UK')).toMatchObject({ country: 'United Kingdom' });
  // California goes before Canada.
  expect(await found('Ontario, CA')).toMatchObject({ admin1: 'California' });
  expect((await callTool(client, 'current', { place: 'Paris, France, EU' })).facts['notes']).toEqual([
    'No place with this name found in "EU", so "EU" was ignored',
  ]);
  expect(await callTool(client, 'current', { place: 'Paris, Atlantis' })).toMatchObject({
    isError: true,
    text: 'No place with the name "Paris" found in "Atlantis". Places with this name elsewhere: Paris, Île-de-France, France (48.85341° N 2.3488° E); Paris, Texas, United States (33.66094° N 95.55551° W)',
  });
});

test.each([
  'London&count=1&format=protobuf',
  'a#b',
  'a/b/../c',
  'a?b=c',
  'a+b c',
  '100%',
  'a\nb\r\nHost: evil',
  '🌦️ town',
  '\u202eמזג אוויר',
])('the name %j is sent only as a parameter', async (name) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { isError, text } = await callTool(client, 'current', { place: name });
  expect(isError).toBe(true);
  expect(text).not.toMatch(/[\n\u202e]/);
  const [asked = ''] = workspace.upstream.requests;
  const url = new URL(asked, workspace.upstream.url);
  expect(url.pathname).toBe('/v1/search');
  expect([...url.searchParams.keys()]).toEqual(['name', 'count', 'language', 'format']);
  expect(url.searchParams.get('count')).toBe('50');
  expect(url.searchParams.get('name')).toContain(name.slice(0, 1).toLowerCase());
});

test('a name of 10 kB is refused without a request', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'current', { place: 'x'.repeat(10_000) })).toMatchObject({
    isError: true,
    text: 'Invalid name: 10000 letters; expected at most 200',
  });
  expect(workspace.upstream.requests).toEqual([]);
});

test('case and accents are ignored, and names are in the requested language', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  for (const place of ['zürich', 'ZURICH', 'Zurich', 'Zu\u0308rich', '北京']) {
    expect((await callTool(client, 'current', { place })).isError, place).toBe(false);
  }
  const german = await callTool(client, 'search_place', { name: 'Beijing', language: 'de' });
  expect(german.facts['places']).toMatchObject([{ name: 'Peking' }]);
  expect((await callTool(client, 'search_place', { name: 'Beijing', language: 'deutsch' })).text).toBe(
    'Invalid language: "deutsch"; expected two letters such as "en" or "de"',
  );
});

test('a misspelled name comes with the places of similar names, after one more search', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'current', { place: 'Berlni' });
  expect(text).toMatch(/^No place found with the name "Berlni"; did you mean Berlin, /);
  expect(facts).toMatchObject({
    error: 'place_not_found',
    similar: expect.arrayContaining([expect.stringContaining('Berlin, Germany')]),
  });
  expect(workspace.upstream.count('/v1/search')).toBe(2);
});
