import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

test('search_place returns the places with a name, best first, with their coordinates', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'search_place', { name: 'Paris' });
  expect(text.split('\n').slice(0, 2)).toEqual([
    '2 places',
    '- Paris, Île-de-France, France (48.85341° N 2.3488° E): 48.85341,2.3488 (PPLC, Europe/Paris, population 2138551)',
  ]);
  expect(text).toContain('Place names by Open-Meteo.com and GeoNames, CC BY 4.0');
  expect(facts).toMatchObject({
    count: 2,
    places: [{ place: '48.85341,2.3488', country: 'France' }, { admin1: 'Texas' }],
  });
  expect(facts).not.toHaveProperty('sample');
});

test('search_place takes a state or country after a comma', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { facts } = await callTool(client, 'search_place', { name: 'Paris, Texas' });
  expect(facts).toMatchObject({ count: 1, places: [{ admin1: 'Texas' }] });
});

test('search_place names similar places for a misspelt name', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, isError } = await callTool(client, 'search_place', { name: 'Zürrich' });
  expect(isError).toBe(false);
  expect(text.split('\n')[0]).toMatch(/^No place found with this name; did you mean Zürich, .*\?$/);
});

test('search_place returns no places for an unknown name', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, isError } = await callTool(client, 'search_place', { name: 'Xyzzyville' });
  expect(isError).toBe(false);
  expect(text.split('\n')[0]).toBe('No place found with this name');
});
