import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readJson, started, tell, World } from './workspace.ts';

const place = '52.52,13.41';

test('W38 without a network a dataset answers, and says where it comes from', async () => {
  await using world = await World.create();
  world.putSample('berlin', 'place', 'current', 'forecast', 'air-quality', 'history');
  world.putSample('springfield', 'place', 'points', 'current', 'forecast', 'hourly', 'alerts');
  await using client = await world.connect({ provider: 'dataset' });
  const { text, facts } = await tell(client, 'current', { place: 'Berlin' });
  expect(text).toContain('Source: Open-Meteo, from a dataset, stored 20');
  expect(facts).toMatchObject({
    source: 'dataset (open-meteo)',
    attribution: 'Weather data by Open-Meteo.com (https://open-meteo.com/), CC BY 4.0',
    current: { temperatureC: 5.7 },
  });
  expect((await tell(client, 'forecast', { place: 'springfield' })).facts).toMatchObject({
    source: 'dataset (nws)',
  });
  expect((await tell(client, 'alerts', { place: 'springfield' })).text).toContain('Winter Weather Advisory');
  expect(
    (await tell(client, 'history', { place: 'berlin', start: '2026-11-11', end: '2026-11-11' })).text,
  ).toContain('Slight rain');
  // What is near is answered for; what is not there is said.
  expect((await tell(client, 'current', { place: '52.4,13.1' })).facts['gridDistanceKm']).toBe(25.5);
  expect(await tell(client, 'current', { place: '10,10' })).toMatchObject({
    isError: true,
    text: `Nothing is known of 10° N 10° E: the dataset in "${join(world.data, 'dataset')}" has berlin, springfield`,
    facts: { error: 'no_data', places: ['berlin', 'springfield'] },
  });
  expect((await tell(client, 'alerts', { place: 'berlin' })).text).toContain('has no "berlin/alerts.json"');
  expect(
    (await tell(client, 'history', { place: 'berlin', start: '2020-01-01', end: '2020-01-02' })).text,
  ).toContain(
    'has the days from 2026-11-10 to 2026-11-16 of "berlin", and none from 2020-01-01 to 2020-01-02',
  );
  expect(world.upstream.requests).toEqual([]);
});

test('W38 the sample answers everything, and every answer says that it is one', async () => {
  await using world = await World.create();
  await using client = await world.connect({ demo: true });
  const calls: [string, Record<string, unknown>][] = [
    ['current', { place: 'berlin' }],
    ['forecast', { place: 'kathmandu', hourly: true }],
    ['history', { place: 'berlin', start: '2026-11-10', end: '2026-11-12' }],
    ['alerts', { place: 'springfield' }],
    ['air_quality', { place: 'berlin' }],
    ['get_forecast', { latitude: 52.52, longitude: 13.41 }],
    ['get_alerts', { state: 'IL' }],
  ];
  for (const [tool, args] of calls) {
    const { text, facts, isError } = await tell(client, tool, args);
    expect(isError, tool).toBe(false);
    expect(text).toContain('SAMPLE: these are made-up data');
    expect(facts).toMatchObject({ sample: true, attribution: 'Made-up sample data, not real weather' });
  }
  expect(world.upstream.requests).toEqual([]);
});

test('W38 a dataset from before tells what it has, and that it is over', async () => {
  await using world = await World.create();
  world.clock.time += 30 * 86_400_000;
  world.putSample('berlin', 'place', 'forecast', 'current');
  await using client = await world.connect({ provider: 'dataset' });
  const { facts } = await tell(client, 'forecast', { place: 'berlin' });
  expect(facts).toMatchObject({ stale: true, days: [{ date: '2026-11-20' }, {}, {}] });
  expect(facts['notes']).toContain(
    'All of it is over: the last day is 2026-11-22, and there today is 2026-12-20',
  );
  expect((await tell(client, 'current', { place: 'berlin' })).facts).toMatchObject({ stale: true });
});

const broken: [string, (good: string) => string][] = [
  ['half written', (good) => good.slice(0, 300)],
  ['empty', () => ''],
  ['of another shape', () => '[1,2,3]'],
  ['of another version', (good) => good.replace('"version":1', '"version":99')],
  ['about something else', (good) => good.replace('"key":"', '"key":"x')],
  ['with a document that is wrong', (good) => good.replace('"current":{', '"nothing":{')],
];

test.each(broken)(
  'W39 a cache file that is %s is kept, reported, and asked for anew',
  async (_, breaking) => {
    await using world = await World.create();
    await using first = await world.connect();
    await tell(first, 'current', { place });
    const [file = ''] = world.cached;
    const bad = breaking(world.read(`cache/v1/${file}`));
    world.put(`cache/v1/${file}`, bad);
    await using second = await world.connect();
    expect((await tell(second, 'current', { place })).isError).toBe(false);
    expect(world.cached).toEqual([file, `${file}.corrupt-1`]);
    expect(world.read(`cache/v1/${file}.corrupt-1`)).toBe(bad);
    expect(world.warnings).toEqual([
      expect.stringMatching(/^Cannot use ".*current-\w+\.json": .*; it is kept as ".*corrupt-1"$/),
    ]);
    expect(world.upstream.requests).toHaveLength(2);
  },
);

test('W39 a cache file from the future is not fresh for ever, and a clock that jumps back does no harm', async () => {
  await using world = await World.create();
  world.clock.time = started + 10 * 86_400_000;
  await using first = await world.connect();
  await tell(first, 'current', { place });
  world.clock.time = started;
  await using second = await world.connect();
  const { facts } = await tell(second, 'current', { place });
  expect(facts).toMatchObject({ stale: false, fetchedAt: '2026-11-20T13:46:00Z' });
  expect(world.upstream.requests).toHaveLength(2);
  await tell(first, 'current', { place });
  expect(world.upstream.requests).toHaveLength(2);
});

test('W39 where nothing can be written, everything is answered all the same, and that is said once', async () => {
  await using world = await World.create();
  // A file where the directory should be: also root cannot write there.
  writeFileSync(join(world.data, 'cache'), '');
  await using client = await world.connect();
  for (const each of [place, place, '1,1'])
    expect((await tell(client, 'current', { place: each })).isError).toBe(false);
  expect(world.upstream.requests).toHaveLength(2);
  expect(world.warnings).toEqual([expect.stringContaining('Answers cannot be kept in "/data/cache/v1": ')]);
});

test('W39 on a disk that is full, or may not be written, answers come all the same', async ({ skip }) => {
  await using world = await World.create();
  const disk = join(world.base, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk], { stdio: 'pipe' });
  } catch (error) {
    return skip(`No disk can be mounted here: ${String(error)}`);
  }
  try {
    const directories = { data: disk, cache: disk };
    await using client = await world.connect({ directories });
    expect((await tell(client, 'save_place', { name: 'home', place })).isError).toBe(false);
    const kept = readFileSync(join(disk, 'places.json'), 'utf8');
    const room = execFileSync('sh', [
      '-c',
      'dd if=/dev/zero of="$1/fill" bs=4096 count=100 2>&1; ls "$1"',
      'sh',
      disk,
    ]);
    expect(String(room)).toContain('No space left');
    expect((await tell(client, 'forecast', { place })).isError).toBe(false);
    expect(world.warnings).toEqual([expect.stringMatching(/^Answers cannot be kept in .*: ENOSPC/)]);
    expect(await tell(client, 'save_place', { name: 'x'.repeat(64), place })).toMatchObject({
      isError: true,
      text: expect.stringContaining('ENOSPC'),
    });
    expect(readFileSync(join(disk, 'places.json'), 'utf8')).toBe(kept);

    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expect((await tell(client, 'current', { place })).isError).toBe(false);
    expect(world.warnings.at(-1)).toMatch(/^Answers cannot be kept in .*: EROFS/);
    expect(await tell(client, 'save_place', { name: 'hut', place })).toMatchObject({
      isError: true,
      text: expect.stringContaining('EROFS'),
    });
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

test('W39 100,000 files do not slow an answer, and most of them go', { timeout: 120_000 }, async () => {
  await using world = await World.create();
  mkdirSync(world.cache, { recursive: true });
  const fill =
    'cd "$1" && seq -f "forecast-%.0f.json" 1 50000 | xargs touch && seq -f "old-%.0f.json" 1 50000 | xargs touch -d 2026-10-01';
  execFileSync('sh', ['-c', fill, 'sh', world.cache]);
  writeFileSync(join(world.cache, 'mine.txt'), '');
  writeFileSync(join(world.cache, 'forecast-1.json.corrupt-1'), '');
  await using client = await world.connect();
  expect((await tell(client, 'current', { place })).isError).toBe(false);
  await world.idle();
  const left = readdirSync(world.cache);
  expect(left.filter((name) => name.endsWith('.json')).length).toBeLessThanOrEqual(5_000);
  expect(left).toEqual(expect.arrayContaining(['mine.txt', 'forecast-1.json.corrupt-1']));
  expect((await tell(client, 'current', { place })).isError).toBe(false);
});

test('W40 places.json: replaced, cut off and rewritten, deleted and made again', async () => {
  await using world = await World.create();
  await using client = await world.connect();
  const names = async () =>
    ((await readJson(client, 'weather://places'))['places'] as { saved: string }[]).map(({ saved }) => saved);
  await tell(client, 'save_place', { name: 'home', place });
  const good = world.read('places.json');
  expect(await names()).toEqual(['home']);
  world.put('places.json', good.replace('"home"', '"hut"'));
  expect(await names()).toEqual(['hut']);
  world.put('places.json', good.slice(0, 40));
  // What was known is still told, and nothing can be saved over it.
  expect(await names()).toEqual(['hut']);
  expect((await readJson(client, 'weather://places'))['problem']).toContain(
    'Saved places cannot be read from',
  );
  expect((await tell(client, 'current', { place: 'hut' })).isError).toBe(false);
  expect(await tell(client, 'save_place', { name: 'office', place: '1,1' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('It is kept as it is; correct it, or move it away'),
    facts: { error: 'saved_places' },
  });
  expect(world.read('places.json')).toBe(good.slice(0, 40));
  expect(world.warnings).toHaveLength(1);
  world.put('places.json', good);
  expect(await names()).toEqual(['home']);
  rmSync(join(world.data, 'places.json'));
  expect(await names()).toEqual([]);
  world.put('places.json', good);
  expect(await names()).toEqual(['home']);
});

test.each([
  ['of a newer version', '{"version":2,"places":[]}', 'Its version is 2 and not 1'],
  ['without places', '{"version":1}', 'It has no list of places'],
  ['empty', '', 'Unexpected end of JSON input'],
])('W40 a places.json %s is never overwritten', async (_, content, why) => {
  await using world = await World.create();
  world.put('places.json', content);
  await using client = await world.connect();
  const { isError, text } = await tell(client, 'save_place', { name: 'home', place });
  expect(isError).toBe(true);
  expect(text).toContain(why);
  expect(world.read('places.json')).toBe(content);
});

test('W40 what another program has put into places.json is kept', async () => {
  await using world = await World.create();
  const mine = { saved: 'home', latitude: 1, longitude: 2, colour: 'blue' };
  world.put('places.json', { version: 1, theme: 'dark', places: [mine, 'nonsense', { saved: 'x' }] });
  await using client = await world.connect();
  await tell(client, 'save_place', { name: 'HOME', place });
  await tell(client, 'save_place', { name: 'office', place: '3,4' });
  expect(JSON.parse(world.read('places.json'))).toMatchObject({
    theme: 'dark',
    places: [
      { saved: 'HOME', latitude: 52.52, colour: 'blue' },
      'nonsense',
      { saved: 'x' },
      { saved: 'office' },
    ],
  });
});

test('W40 places that are saved by several processes at once are all saved', async () => {
  await using world = await World.create();
  const clients = await Promise.all([1, 2, 3].map(() => world.connect()));
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      tell(clients[index % 3]!, 'save_place', { name: `p${index}`, place: `${index},0` }),
    ),
  );
  const { places } = await readJson(clients[0]!, 'weather://places');
  expect(places).toHaveLength(30);
  expect(readdirSync(world.data)).toEqual(['places.json']);
  await Promise.all(clients.map((client) => client.close()));
});

test('W40 a lock that a dead process has left is not waited for', async () => {
  await using world = await World.create();
  await using client = await world.connect();
  world.put('places.json.lock', '999999999');
  expect((await tell(client, 'save_place', { name: 'home', place })).isError).toBe(false);
});

test('W40 of several processes that find a lock left behind, one takes it away, and nothing is lost', async () => {
  await using world = await World.create();
  const clients = await Promise.all(Array.from({ length: 6 }, () => world.connect()));
  const rounds = 30;
  for (let round = 0; round < rounds; round++) {
    world.put('places.json.lock', '999999999');
    await Promise.all(
      clients.map((client, index) =>
        tell(client, 'save_place', { name: `p${round}-${index}`, place: '1,2' }),
      ),
    );
  }
  const { places } = JSON.parse(world.read('places.json')) as { places: unknown[] };
  expect(places).toHaveLength(rounds * clients.length);
  expect(readdirSync(world.data)).toEqual(['places.json']);
  await Promise.all(clients.map((client) => client.close()));
});

test('W40 saving in a directory that cannot be written says so', async () => {
  await using world = await World.create();
  writeFileSync(join(world.base, 'file'), '');
  await using client = await world.connect({
    directories: { data: join(world.base, 'file'), cache: world.cache },
  } as never);
  const { isError, text } = await tell(client, 'save_place', { name: 'home', place });
  expect(isError).toBe(true);
  expect(text).toContain('Cannot change the saved places');
});
