import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';

import { readJson, callTool, Workspace } from './workspace.ts';

// The tests wait for locks of other processes.
vi.setConfig({ testTimeout: 120_000 });

const place = '52.52,13.41';

test('saved names are validated and never used as keys or paths', async () => {
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
      text: `Saved "${name}": 52.52° N 13.41° E\nUndo: remove_place with the name "${name}"`,
    });
    expect((await callTool(client, 'current', { place: name })).facts['place']).toMatchObject({
      saved: name,
    });
  }
  expect(({} as Record<string, unknown>)['saved']).toBeUndefined();
  expect(await readJson(client, 'weather://places')).toMatchObject({
    places: [{ saved: '__proto__' }, { saved: 'constructor' }, { saved: 'CON' }, { saved: 'toString' }],
  });
  // Names are compared without case and accents; the answer has the replaced place.
  const again = await save('con', '48.85,2.35');
  expect(again.text).toBe(
    'Saved "con": 48.85° N 2.35° E; it replaces "CON", 52.52° N 13.41° E\n' +
      'Undo: save_place with the name "CON" and the place "52.52,13.41"',
  );
  expect((await readJson(client, 'weather://places'))['places']).toHaveLength(4);
  expect((await callTool(client, 'remove_place', { name: 'CONSTRUCTOR' })).text).toBe(
    'Removed "constructor": 52.52° N 13.41° E\n' +
      'Undo: save_place with the name "constructor" and the place "52.52,13.41"',
  );
  expect((await callTool(client, 'remove_place', { name: 'nowhere' })).text).toBe(
    'No saved place has the name "nowhere"; saved places are "__proto__", "con", "toString"',
  );
});

test('places.json may be replaced, truncated, rewritten, deleted and created again', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const names = async () =>
    ((await readJson(client, 'weather://places'))['places'] as { saved: string }[]).map(({ saved }) => saved);
  await callTool(client, 'save_place', { name: 'home', place });
  const good = workspace.read('places.json');
  expect(await names()).toEqual(['home']);
  workspace.put('places.json', good.replace('"home"', '"hut"'));
  expect(await names()).toEqual(['hut']);
  workspace.put('places.json', good.slice(0, 40));
  // The last valid content is still served, and the file is not overwritten.
  expect(await names()).toEqual(['hut']);
  expect((await readJson(client, 'weather://places'))['problem']).toContain(
    'Cannot read the saved places from',
  );
  expect((await callTool(client, 'current', { place: 'hut' })).isError).toBe(false);
  expect(await callTool(client, 'save_place', { name: 'office', place: '1,1' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('It was not changed; repair it, or move it away'),
    facts: { error: 'saved_places' },
  });
  expect(workspace.read('places.json')).toBe(good.slice(0, 40));
  expect(workspace.warnings).toHaveLength(1);
  workspace.put('places.json', good);
  expect(await names()).toEqual(['home']);
  rmSync(join(workspace.data, 'places.json'));
  expect(await names()).toEqual([]);
  workspace.put('places.json', good);
  expect(await names()).toEqual(['home']);
});

test.each([
  ['of a newer version', '{"version":2,"places":[]}', 'version 2 instead of 1'],
  ['without places', '{"version":1}', 'no list of places'],
  ['empty', '', 'Unexpected end of JSON input'],
])('places.json %s is never overwritten', async (_, content, why) => {
  await using workspace = await Workspace.create();
  workspace.put('places.json', content);
  await using client = await workspace.connect();
  const { isError, text } = await callTool(client, 'save_place', { name: 'home', place });
  expect(isError).toBe(true);
  expect(text).toContain(why);
  expect(workspace.read('places.json')).toBe(content);
});

test('unknown members of places.json are preserved', async () => {
  await using workspace = await Workspace.create();
  const mine = { saved: 'home', latitude: 1, longitude: 2, colour: 'blue' };
  workspace.put('places.json', { version: 1, theme: 'dark', places: [mine, 'nonsense', { saved: 'x' }] });
  await using client = await workspace.connect();
  await callTool(client, 'save_place', { name: 'HOME', place });
  await callTool(client, 'save_place', { name: 'office', place: '3,4' });
  expect(JSON.parse(workspace.read('places.json'))).toMatchObject({
    theme: 'dark',
    places: [
      { saved: 'HOME', latitude: 52.52, colour: 'blue' },
      'nonsense',
      { saved: 'x' },
      { saved: 'office' },
    ],
  });
});

test('concurrent saves of several processes are all kept', async () => {
  await using workspace = await Workspace.create();
  const clients = await Promise.all([1, 2, 3].map(() => workspace.connect()));
  const saved = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      callTool(clients[index % 3]!, 'save_place', { name: `p${index}`, place: `${index},0` }),
    ),
  );
  expect(saved.filter(({ isError }) => isError)).toEqual([]);
  const { places } = await readJson(clients[0]!, 'weather://places');
  expect(places).toHaveLength(30);
  expect(readdirSync(workspace.data)).toEqual(['places.json']);
  await Promise.all(clients.map((client) => client.close()));
});

test('names the file when the data directory cannot be created', async () => {
  await using workspace = await Workspace.create();
  writeFileSync(join(workspace.base, 'file'), '');
  await using client = await workspace.connect({
    directories: { data: join(workspace.base, 'file'), cache: workspace.cache },
  } as never);
  const { isError, text } = await callTool(client, 'save_place', { name: 'home', place });
  expect(isError).toBe(true);
  expect(text).toContain('Cannot write');
});

test('names the file when it cannot be created', async ({ skip }) => {
  // As on a full or read-only disk, no user, root included, can create a file in /proc.
  skip(process.platform !== 'linux', 'Only Linux has /proc');
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({
    directories: { data: '/proc/self', cache: workspace.cache },
  });
  expect(await callTool(client, 'save_place', { name: 'home', place })).toMatchObject({
    isError: true,
    text: expect.stringContaining('Cannot write "/proc/self/places.json": ENOENT'),
    facts: { error: 'saved_places' },
  });
});
