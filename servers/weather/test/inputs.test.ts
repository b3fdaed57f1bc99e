import { expect, test } from 'vitest';
import { readJson, callTool, Workspace } from './workspace.ts';
import { reason } from './upstream.ts';

test.each([
  ['90.0001,0', 'Invalid latitude: 90.0001; expected -90 to 90'],
  ['-91,0', 'Invalid latitude: -91; expected -90 to 90'],
  ['0,180.5', 'Invalid longitude: 180.5; expected -180 to 180'],
  ['0,-181', 'Invalid longitude: -181; expected -180 to 180'],
  ['0,540', 'Invalid longitude: 540; expected -180 to 180'],
  ['51.5N', 'Invalid coordinates: "51.5N"; expected latitude and longitude in degrees, such as 52.52,13.41'],
  ['51.5', 'Invalid coordinates: "51.5"; expected latitude and longitude in degrees, such as 52.52,13.41'],
  [
    '51,5,0,1',
    'Invalid coordinates: "51,5,0,1"; expected latitude and longitude in degrees, such as 52.52,13.41',
  ],
  ['NaN,0', 'Invalid coordinates: "NaN,0"; expected latitude and longitude in degrees, such as 52.52,13.41'],
  [
    '1e308,0',
    'Invalid coordinates: "1e308,0"; expected latitude and longitude in degrees, such as 52.52,13.41',
  ],
])('W1 the place %s is refused', async (place, message) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'current', { place })).toMatchObject({
    isError: true,
    text: message,
  });
  expect(workspace.upstream.count('/v1/forecast')).toBe(0);
});

test('W1 numbers out of range are refused, with what would be accepted', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const refused = async (latitude: unknown, longitude: unknown) => {
    const { text, facts, isError } = await callTool(client, 'get_forecast', { latitude, longitude });
    expect(isError).toBe(true);
    return { text, error: facts['error'], argument: facts['argument'] };
  };
  expect(await refused(91, 0)).toEqual({
    text: 'Invalid latitude: 91; expected -90 to 90',
    error: 'invalid_argument',
    argument: 'latitude',
  });
  expect((await refused(1e308, 0)).text).toBe('Invalid latitude: 1e+308; expected -90 to 90');
  expect((await refused(0, -181)).argument).toBe('longitude');
  expect((await refused('51,5', 0)).text).toContain(
    'latitude: Invalid input: expected number, received string',
  );
  expect(workspace.upstream.requests).toEqual([]);
  const zero = await callTool(client, 'get_forecast', { latitude: -0, longitude: -0 });
  expect(zero.text).toContain('0° N 0° E');
  expect(workspace.upstream.requests[0]).toContain('latitude=0&longitude=0&');
});

test('W1 coordinates may have the letters of their hemispheres', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  for (const place of ['33.87S 151.21E', '33.87° S, 151.21° E', '-33.87;151.21', '-33.87 151.21']) {
    const { facts } = await callTool(client, 'current', { place });
    expect(facts['place']).toMatchObject({ latitude: -33.87, longitude: 151.21 });
  }
});

test('W2 a swapped pair shows: the hemisphere, the zone and the cell that answered', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'current', { place: '-73.99,40.75' });
  expect(text.split('\n')[0]).toBe('73.99° S 40.75° E, Europe/Berlin');
  expect(facts).toMatchObject({ place: { latitude: -73.99, longitude: 40.75 }, gridDistanceKm: 1.1 });
  const named = await callTool(client, 'current', { place: 'Portland, Oregon' });
  expect(named.facts['place']).toMatchObject({
    name: 'Portland',
    admin1: 'Oregon',
    country: 'United States',
  });
});

test('W3 on both sides of the antimeridian, with a cell on the other one', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  for (const longitude of [180, -180, 179.99, -179.99]) {
    const { facts } = await callTool(client, 'current', { place: `-17,${longitude}` });
    expect(facts).toMatchObject({ place: { longitude }, gridDistanceKm: 1.1 });
  }
  const berlin = (
    await import('../src/backend/providers/dataset/sample/berlin-current.json', { with: { type: 'json' } })
  ).default;
  workspace.upstream.documents.set('/v1/forecast', { ...berlin, latitude: -16, longitude: -179.98 });
  const { facts } = await callTool(client, 'current', { place: '-16,179.98' });
  expect(facts['gridDistanceKm']).toBe(4.3);
});

test('W4 at the poles, where nobody knows a zone, times are in UTC', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const berlin = (
    await import('../src/backend/providers/dataset/sample/berlin-current.json', { with: { type: 'json' } })
  ).default;
  const inUtc = { ...berlin, latitude: 90, longitude: 0, utc_offset_seconds: 0, timezone: 'GMT' };
  for (const place of ['90,0', '-90,0']) {
    workspace.upstream.documents.set('/v1/forecast', inUtc);
    workspace.upstream.next(reason(400, 'Invalid timezone'));
    const { text, isError } = await callTool(client, 'current', { place });
    expect(isError).toBe(false);
    expect(text).toContain('2026-11-20T13:45+00:00');
    // What has been refused once is not asked again.
    const asked = workspace.upstream.requests.length;
    await callTool(client, 'current', { place });
    expect(workspace.upstream.requests).toHaveLength(asked);
  }
});

test('W5 a place that nobody knows is not found, and W6 short names are not looked for', async () => {
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
])('W7 %s may be several places: they are told, and none is taken', async (name, states) => {
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

test('W7 a city and a state of one name are one place; the largest by far is taken, and that is said', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { facts } = await callTool(client, 'current', { place: 'Berlin' });
  expect(facts).toMatchObject({
    place: { name: 'Berlin', country: 'Germany' },
    notes: ['1 other place has the same name; this one is by far the most populous'],
  });
});

test('W8 what a place lies in stands after a comma', async () => {
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
    'No place with this name found in "EU"; the qualifier was ignored',
  ]);
  expect(await callTool(client, 'current', { place: 'Paris, Atlantis' })).toMatchObject({
    isError: true,
    text: 'No place with the name "Paris" found in "Atlantis". Others: Paris, Île-de-France, France (48.85341° N 2.3488° E); Paris, Texas, United States (33.66094° N 95.55551° W)',
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
])('W9 the name %j is only ever a name', async (name) => {
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

test('W9 a name of 10 kB is refused before anybody is asked', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'current', { place: 'x'.repeat(10_000) })).toMatchObject({
    isError: true,
    text: 'Invalid name: 10000 letters; expected at most 200',
  });
  expect(workspace.upstream.requests).toEqual([]);
});

test('W10 case and accents do not count, and names come in the language that is asked for', async () => {
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

test('W11 a saved name is a name and nothing else', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const save = (name: string, place = '52.52,13.41') => callTool(client, 'save_place', { name, place });
  for (const name of [
    '../../etc/passwd',
    '..',
    'a\\b',
    'a,b',
    '',
    ' ',
    'x'.repeat(65),
    'a\nb',
    'a\u202eb',
    '52,13',
    '99,999',
  ]) {
    expect(await save(name), name).toMatchObject({
      isError: true,
      facts: { error: 'invalid_argument', argument: 'name' },
    });
  }
  for (const name of ['__proto__', 'constructor', 'CON', 'toString']) {
    expect(await save(name), name).toMatchObject({
      isError: false,
      text: `Saved "${name}": 52.52° N 13.41° E`,
    });
    expect((await callTool(client, 'current', { place: name })).facts['place']).toMatchObject({
      saved: name,
    });
  }
  expect(({} as Record<string, unknown>)['saved']).toBeUndefined();
  expect(await readJson(client, 'weather://places')).toMatchObject({
    places: [{ saved: '__proto__' }, { saved: 'constructor' }, { saved: 'CON' }, { saved: 'toString' }],
  });
  // Case and accents do not make another name; what the name was for is told.
  const again = await save('con', '48.85,2.35');
  expect(again.text).toBe('Saved "con": 48.85° N 2.35° E; it replaces "CON", 52.52° N 13.41° E');
  expect(again.facts['before']).toEqual({ name: 'CON', latitude: 52.52, longitude: 13.41 });
  expect((await readJson(client, 'weather://places'))['places']).toHaveLength(4);
  expect((await callTool(client, 'remove_place', { name: 'CONSTRUCTOR' })).text).toBe(
    'Removed "constructor": 52.52° N 13.41° E',
  );
  expect((await callTool(client, 'remove_place', { name: 'nowhere' })).text).toBe(
    'No saved place has the name "nowhere"; saved places are "__proto__", "con", "toString"',
  );
});

test.each([
  [{ start: '2026-11-10', end: '2026-11-09' }, 'Invalid start: 2026-11-10 is after end, 2026-11-09'],
  [{ start: '0001-01-01', end: '2026-11-09' }, 'Invalid start: 0001-01-01; expected 1940-01-01 or later'],
  [{ start: '2026-11-10', end: '2026-12-24' }, 'Invalid end: 2026-12-24 is in the future; use forecast'],
  [
    { start: '2026-02-30', end: '2026-03-01' },
    'Invalid start: "2026-02-30"; expected a date such as 2026-11-20',
  ],
  [{ start: 'yesterday', end: 'today' }, 'Invalid start: "yesterday"; expected a date such as 2026-11-20'],
  [
    { start: '2020-01-01', end: '2026-01-01' },
    'Invalid range: 2020-01-01 to 2026-01-01; expected at most 366 days',
  ],
])('W12 the dates %j are refused', async (dates, message) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'history', { place: '52.52,13.41', ...dates })).toMatchObject({
    isError: true,
    text: message,
  });
  expect(workspace.upstream.requests).toEqual([]);
});

test('W12 more days than there are, and what the upstream refuses in its own words', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const tooMany = await callTool(client, 'forecast', { place: '52.52,13.41', days: 17 });
  expect(tooMany).toMatchObject({
    isError: true,
    text: expect.stringContaining('days: Too big: expected number to be <=16'),
  });
  workspace.upstream.next(
    reason(400, "Parameter 'end_date' is out of allowed range from 1940-01-01 to 2026-11-18"),
  );
  const refused = await callTool(client, 'history', {
    place: '52.52,13.41',
    start: '2026-11-18',
    end: '2026-11-20',
  });
  expect(refused).toMatchObject({
    isError: true,
    text: `${workspace.upstream.url.host} refused the request: "Parameter 'end_date' is out of allowed range from 1940-01-01 to 2026-11-18"`,
    facts: { error: 'refused', status: 400 },
  });
});

test('W13 a unit that does not exist is refused, and a variable that the upstream does not know', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const kelvin = await callTool(client, 'current', { place: '52.52,13.41', units: 'kelvin' });
  expect(kelvin).toMatchObject({
    isError: true,
    text: expect.stringContaining('units: Invalid option: expected one of "metric"|"imperial"|"si"'),
  });
  await expect(readJson(client, 'weather://52.52%2C13.41/forecast?units=kelvin')).rejects.toThrow(
    'Invalid units: "kelvin"; expected metric, imperial, si',
  );
  const words = 'Cannot initialize WeatherVariable from invalid String value tempeture_2m for key hourly';
  workspace.upstream.next(reason(400, words));
  expect((await callTool(client, 'forecast', { place: '52.52,13.41' })).text).toContain(words);
  // A refusal is not tried again.
  expect(workspace.upstream.count('/v1/forecast')).toBe(1);
});

test('W14 zones: the legacy name in a reply, a fixed offset, one that does not exist', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const berlin = (
    await import('../src/backend/providers/dataset/sample/berlin-current.json', { with: { type: 'json' } })
  ).default;
  const answer = async (place: string, timezone: string, utc_offset_seconds: number) => {
    workspace.upstream.documents.set('/v1/forecast', { ...berlin, timezone, utc_offset_seconds });
    const { facts } = await callTool(client, 'current', { place });
    return [(facts['current'] as { time: string }).time, (facts['place'] as { timezone: string }).timezone];
  };
  expect(await answer('Kyiv', 'Europe/Kiev', 7200)).toEqual(['2026-11-20T15:45+02:00', 'Europe/Kiev']);
  // A place whose zone is known is asked for in it.
  expect(workspace.upstream.requests.at(-1)).toContain('timezone=Europe%2FKyiv');
  expect(await answer('1,1', 'EST', -18_000)).toEqual(['2026-11-20T08:45-05:00', 'EST']);
  expect(await answer('1,2', '+02:00', 7200)).toEqual(['2026-11-20T15:45+02:00', 'UTC+02:00']);
  expect(await answer('1,3', 'Mars/Olympus', 3600)).toEqual(['2026-11-20T14:45+01:00', 'UTC+01:00']);
  expect(workspace.upstream.requests.at(-1)).toContain('timezone=auto');
  workspace.upstream.documents.clear();
  workspace.upstream.next(reason(400, 'Invalid timezone'));
  const { isError } = await callTool(client, 'current', { place: '1,4' });
  expect(isError).toBe(false);
  expect(workspace.upstream.requests.at(-1)).toContain('timezone=GMT');
});
