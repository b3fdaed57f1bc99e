import { expect, test } from 'vitest';
import { callTool, Workspace } from './workspace.ts';

const most = 40_000;

test('a year of days is cut, and says where to continue', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const dates: string[] = [];
  for (let start: string | undefined = '2025-11-20'; start !== undefined;) {
    const args = { place: 'paris', start, end: '2026-11-19', units: 'imperial' };
    const { text, facts } = await callTool(client, 'history', args);
    expect(text.length).toBeLessThan(most);
    expect(JSON.stringify(facts).length).toBeLessThan(most);
    dates.push(...(facts['days'] as { date: string }[]).map(({ date }) => date));
    start = facts['nextStart'] as string | undefined;
    if (start !== undefined) expect(text).toContain(`days; continue with start ${start}, or use summary`);
  }
  expect(new Set(dates).size).toBe(365);
  expect(dates).toHaveLength(365);
});

test('a table of many columns is cut, and says where to continue', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const sea = [
    'waveHeight',
    'waveDirection',
    'wavePeriod',
    'windWaveHeight',
    'swellHeight',
    'swellDirection',
  ];
  const more = ['swellPeriod', 'seaTemperature', 'seaLevel', 'currentSpeed', 'currentDirection', 'windGusts'];
  const air = ['temperature', 'feelsLike', 'dewPoint', 'humidity', 'precipitationChance', 'precipitation'];
  const rest = ['snowfall', 'weatherCode', 'windSpeed', 'windDirection'];
  const measures = [...sea, ...more, ...air, ...rest];
  const times: string[] = [];
  for (let hours: string | undefined = '2026-11-21T00/2026-11-28T23'; hours !== undefined;) {
    const { text, facts } = await callTool(client, 'forecast', { place: 'sydney', hours, measures });
    expect(text.length).toBeLessThan(most);
    expect(JSON.stringify(facts).length).toBeLessThan(most);
    times.push(...(facts['hours'] as { time: string[] }).time);
    hours = /hours; continue with hours (\S+), or name fewer measures/.exec(text)?.[1];
    expect(hours === undefined).toBe(facts['nextHour'] === undefined);
  }
  expect(new Set(times).size).toBe(times.length);
  expect(times).toHaveLength(8 * 24);
});

test('places that have no room in an answer are named, for another call', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true });
  const all = [
    'paris',
    'london',
    'berlin',
    'munich',
    'tokyo',
    'sydney',
    'cairo',
    'nairobi',
    'mumbai',
    'beijing',
  ];
  const seen: string[] = [];
  for (let place: readonly string[] = all; place.length > 0;) {
    const { text, facts } = await callTool(client, 'forecast', { place, hourly: true });
    expect(text.length).toBeLessThan(most);
    expect(JSON.stringify(facts).length).toBeLessThan(most);
    const { places, leftOut = [] } = facts as { places: { place: { name: string } }[]; leftOut?: string[] };
    if (leftOut.length > 0) expect(text).toContain(`${JSON.stringify(leftOut)}; ask for these places`);
    seen.push(...places.map(({ place: { name } }) => name.toLowerCase()));
    place = leftOut;
  }
  expect(seen).toEqual(all);
});
