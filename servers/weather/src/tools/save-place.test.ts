import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

test('save_place saves a place under a name, which other tools accept', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text } = await callTool(client, 'save_place', { name: 'home', place: 'Zürich' });
  expect(text).toMatch(/^Saved "home": Zürich, .*Switzerland \(47\./);
  expect(text).toMatch(/\nUndo: remove_place with the name "home"$/);
  const forecast = await callTool(client, 'forecast', { place: 'HOME' });
  expect(forecast.facts['place']).toMatchObject({ saved: 'home', country: 'Switzerland' });
});

test('save_place returns the place that it replaces, and how to save it again', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await callTool(client, 'save_place', { name: 'home', place: '1,2' });
  expect(await callTool(client, 'save_place', { name: 'home', place: '3,4' })).toMatchObject({
    text: 'Saved "home": 3° N 4° E; it replaces "home", 1° N 2° E\nUndo: save_place with the name "home" and the place "1,2"',
  });
});

test('remove_place removes a saved place', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await callTool(client, 'save_place', { name: 'home', place: '1,2' });
  expect(await callTool(client, 'remove_place', { name: 'home' })).toMatchObject({
    text: 'Removed "home": 1° N 2° E\nUndo: save_place with the name "home" and the place "1,2"',
  });
  expect(await callTool(client, 'remove_place', { name: 'home' })).toMatchObject({
    isError: true,
    text: 'No saved place has the name "home"; no places are saved',
  });
});
