import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callTool, hasFormat, started, Workspace } from '../../workspace.ts';

const place = '52.52,13.41';

test('a dataset answers without a network and names its source', async () => {
  await using workspace = await Workspace.create();
  workspace.putSample('berlin', 'place', 'current', 'forecast', 'air-quality', 'history');
  workspace.putSample('springfield', 'place', 'points', 'current', 'forecast', 'hourly', 'alerts');
  await using client = await workspace.connect({ provider: 'dataset' });
  const { text, facts } = await callTool(client, 'current', { place: 'Berlin' });
  expect(text).toContain('Source: Open-Meteo, from a dataset, stored 20');
  expect(facts).toMatchObject({
    source: 'dataset (open-meteo)',
    attribution: 'Weather data by Open-Meteo.com (https://open-meteo.com/), CC BY 4.0',
    current: { temperatureC: 5.7 },
  });
  expect((await callTool(client, 'forecast', { place: 'springfield' })).facts).toMatchObject({
    source: 'dataset (nws)',
  });
  expect((await callTool(client, 'alerts', { place: 'springfield' })).text).toContain(
    'Winter Weather Advisory',
  );
  expect(
    (await callTool(client, 'history', { place: 'berlin', start: '2026-11-11', end: '2026-11-11' })).text,
  ).toContain('Slight rain');
  // A place near the grid is answered with its distance; a place without data gets an error.
  expect((await callTool(client, 'current', { place: '52.4,13.1' })).facts['gridDistanceKm']).toBe(25.5);
  expect(await callTool(client, 'current', { place: '10,10' })).toMatchObject({
    isError: true,
    text: `No data for 10° N 10° E: the dataset in "${join(workspace.data, 'dataset')}" has berlin, springfield`,
    facts: { error: 'no_data', places: ['berlin', 'springfield'] },
  });
  expect((await callTool(client, 'alerts', { place: 'berlin' })).text).toContain(
    'has no "berlin/alerts.json"',
  );
  expect(
    (await callTool(client, 'history', { place: 'berlin', start: '2020-01-01', end: '2020-01-02' })).text,
  ).toContain(
    'has the days from 2026-11-10 to 2026-11-16 of "berlin", but none from 2020-01-01 to 2020-01-02',
  );
  expect(workspace.upstream.requests).toEqual([]);
});

test('the sample answers every tool, and every answer is marked', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const calls: { readonly [tool: string]: Record<string, unknown> } = {
    search_place: { name: 'berlin' },
    current: { place: 'berlin' },
    forecast: { place: 'kathmandu', hourly: true },
    history: { place: 'berlin', start: '2026-11-10', end: '2026-11-12' },
    alerts: { place: 'springfield' },
    air_quality: { place: 'berlin' },
    get_forecast: { latitude: 52.52, longitude: 13.41 },
    get_alerts: { state: 'IL' },
  };
  const published = (await client.listTools()).filter(({ annotations }) => annotations?.readOnlyHint);
  expect(Object.keys(calls)).toEqual(published.map(({ name }) => name));
  for (const [tool, args] of Object.entries(calls)) {
    const { text, facts, isError } = await callTool(client, tool, args);
    expect(isError, tool).toBe(false);
    expect(text, tool).toContain('SAMPLE: ');
    if (await hasFormat(client, tool)) {
      // The names of places are real.
      const attribution =
        tool === 'search_place'
          ? 'Place names by Open-Meteo.com and GeoNames, CC BY 4.0'
          : 'Made-up sample data, not real weather';
      expect(facts, tool).toMatchObject({ sample: true, attribution });
    }
  }
  expect(workspace.upstream.requests).toEqual([]);
});

test('an old dataset is stale, with a note that its forecast is over', async () => {
  await using workspace = await Workspace.create();
  workspace.clock.time += 30 * 86_400_000;
  workspace.putSample('berlin', 'place', 'forecast', 'current');
  await using client = await workspace.connect({ provider: 'dataset' });
  const { facts } = await callTool(client, 'forecast', { place: 'berlin' });
  expect(facts).toMatchObject({ stale: true, days: [{ date: '2026-11-20' }, {}, {}] });
  expect(facts['notes']).toContain(
    'The whole forecast is over: its last day is 2026-11-22, and the local date is 2026-12-20',
  );
  expect((await callTool(client, 'current', { place: 'berlin' })).facts).toMatchObject({
    stale: true,
  });
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
  'a cache file that is %s is moved away, reported and fetched again',
  async (_, breaking) => {
    await using workspace = await Workspace.create();
    await using first = await workspace.connect();
    await callTool(first, 'current', { place });
    const [file = ''] = workspace.cached;
    const bad = breaking(workspace.read(`cache/v1/${file}`));
    workspace.put(`cache/v1/${file}`, bad);
    await using second = await workspace.connect();
    expect((await callTool(second, 'current', { place })).isError).toBe(false);
    expect(workspace.cached).toEqual([file, `${file}.corrupt-1`]);
    expect(workspace.read(`cache/v1/${file}.corrupt-1`)).toBe(bad);
    expect(workspace.warnings).toEqual([
      expect.stringMatching(/^Cannot use ".*current-\w+\.json": .*; the file was moved to ".*corrupt-1"$/),
    ]);
    expect(workspace.upstream.requests).toHaveLength(2);
  },
);

test('a cache file from the future is not fresh for ever, and a clock may jump back', async () => {
  await using workspace = await Workspace.create();
  workspace.clock.time = started + 10 * 86_400_000;
  await using first = await workspace.connect();
  await callTool(first, 'current', { place });
  workspace.clock.time = started;
  await using second = await workspace.connect();
  const { facts } = await callTool(second, 'current', { place });
  expect(facts).toMatchObject({ stale: false, fetchedAt: '2026-11-20T13:46:00Z' });
  expect(workspace.upstream.requests).toHaveLength(2);
  await callTool(first, 'current', { place });
  expect(workspace.upstream.requests).toHaveLength(2);
});

test('answers without a writable cache, with one warning', async () => {
  await using workspace = await Workspace.create();
  // A file is in the place of the cache directory, so not even root can write into the directory.
  writeFileSync(join(workspace.data, 'cache'), '');
  await using client = await workspace.connect();
  for (const each of [place, place, '1,1'])
    expect((await callTool(client, 'current', { place: each })).isError).toBe(false);
  expect(workspace.upstream.requests).toHaveLength(2);
  expect(workspace.warnings).toEqual([
    expect.stringContaining('Cannot write the cache in "/data/cache/v1": '),
  ]);
});

test('answers on a full disk and on a read-only disk', async ({ skip }) => {
  await using workspace = await Workspace.create();
  const disk = join(workspace.base, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk], { stdio: 'pipe' });
  } catch (error) {
    return skip(`No disk can be mounted here: ${String(error)}`);
  }
  try {
    const directories = { data: disk, cache: disk };
    await using client = await workspace.connect({ directories });
    expect((await callTool(client, 'save_place', { name: 'home', place })).isError).toBe(false);
    const kept = readFileSync(join(disk, 'places.json'), 'utf8');
    const fill = () => writeFileSync(join(disk, 'fill'), Buffer.alloc(100 * 4_096));
    expect(fill).toThrow('ENOSPC');
    expect((await callTool(client, 'forecast', { place })).isError).toBe(false);
    expect(workspace.warnings).toEqual([expect.stringMatching(/^Cannot write the cache in .*: ENOSPC/)]);
    expect(await callTool(client, 'save_place', { name: 'x'.repeat(64), place })).toMatchObject({
      isError: true,
      text: expect.stringContaining(`Cannot write "${join(disk, 'places.json')}": ENOSPC`),
    });
    expect(readFileSync(join(disk, 'places.json'), 'utf8')).toBe(kept);

    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expect((await callTool(client, 'current', { place })).isError).toBe(false);
    expect(workspace.warnings.at(-1)).toMatch(/^Cannot write the cache in .*: EROFS/);
    expect(await callTool(client, 'save_place', { name: 'hut', place })).toMatchObject({
      isError: true,
      text: expect.stringContaining(`Cannot write "${join(disk, 'places.json')}": EROFS`),
    });
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

test(
  '100,000 cache files do not slow down an answer, and surplus files are deleted',
  { timeout: 120_000 },
  async () => {
    await using workspace = await Workspace.create();
    mkdirSync(workspace.cache, { recursive: true });
    const fill =
      'cd "$1" && seq -f "forecast-%.0f.json" 1 50000 | xargs touch && seq -f "old-%.0f.json" 1 50000 | xargs touch -d 2026-10-01';
    execFileSync('sh', ['-c', fill, 'sh', workspace.cache]);
    writeFileSync(join(workspace.cache, 'mine.txt'), '');
    writeFileSync(join(workspace.cache, 'forecast-1.json.corrupt-1'), '');
    await using client = await workspace.connect();
    expect((await callTool(client, 'current', { place })).isError).toBe(false);
    await workspace.idle();
    const left = readdirSync(workspace.cache);
    expect(left.filter((name) => name.endsWith('.json')).length).toBeLessThanOrEqual(5_000);
    expect(left).toEqual(expect.arrayContaining(['mine.txt', 'forecast-1.json.corrupt-1']));
    expect((await callTool(client, 'current', { place })).isError).toBe(false);
  },
);
