import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

const range = { start: '2026-11-10', end: '2026-11-12' };

test('history returns each day of a range', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { text, facts } = await callTool(client, 'history', { place: '52.52,13.41', ...range });
  expect(facts['days']).toMatchObject([
    { date: '2026-11-10' },
    { date: '2026-11-11' },
    { date: '2026-11-12' },
  ]);
  expect(text).toContain('Tue 2026-11-10: ');
});

test('history returns the units of the call', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const { facts } = await callTool(client, 'history', { place: '52.52,13.41', ...range, units: 'imperial' });
  expect((facts['days'] as object[])[0]).toHaveProperty('temperatureMaxF');
});

test('history is not supported by NWS', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  expect(await callTool(client, 'history', { place: '39.8,-89.64', ...range })).toMatchObject({
    isError: true,
    text: 'NWS has no history; --provider open-meteo has it',
    facts: { error: 'not_supported' },
  });
});
