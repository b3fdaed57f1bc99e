import { viewsCapability } from '@mcp/views';
import { beforeAll, expect, test } from 'vitest';
import { readingOf } from '../../view/model/reading.ts';
import { Workspace } from '../workspace.ts';

let content: unknown;

beforeAll(async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true }, { extensions: viewsCapability });
  const places = ['Berlin', 'Springfield', 'Nowhere'];
  content = (await client.callTool('refresh_forecast', { place: places, days: 2 })).structuredContent;
});

test('the weather of the sample', () => {
  const { now, units, places } = readingOf(content)!;
  expect([now, units]).toEqual([Date.UTC(2026, 10, 20, 13, 46), 'metric']);
  const [berlin, springfield, nowhere] = places;
  expect(berlin).toMatchObject({
    name: 'Berlin',
    region: 'Germany',
    problem: '',
    current: { clock: '14:45', temperature: 5.7, sky: 'rain', isDay: true },
    days: [{ date: '2026-11-20', low: 1.9, high: 5.7 }, { date: '2026-11-21' }],
    alerts: [{ event: 'Yellow Wind warning', severity: 'Moderate', until: 'Sat 21 Nov, 09:00' }],
    source: { name: 'Open-Meteo', isSample: true, isIssued: false, zone: 'Europe/Berlin' },
  });
  const light = berlin!.hours.filter(({ date, isDay }) => isDay && date === '2026-11-20');
  expect(light.map(({ clock }) => clock)).toEqual(
    Array.from({ length: 9 }, (_, index) => `${String(index + 8).padStart(2, '0')}:00`),
  );
  // Its source has words instead of codes, and knows when the sun is up.
  expect(springfield!.hours[0]).toMatchObject({ sky: 'cloudy', isDay: true });
  expect(springfield!.source.isIssued).toBe(true);
  expect(nowhere).toMatchObject({ name: 'Nowhere', problem: expect.stringContaining('Nowhere'), days: [] });
});

const hostile: readonly unknown[] = [
  null,
  true,
  -1e300,
  Number.NaN,
  '',
  '<script>alert(1)</script>\u202e',
  'x'.repeat(100_000),
  [],
  [[['x']]],
  {},
  { toString: 'x', message: {} },
];

/** The same value with another one in place of each member of this name. */
function replaced(value: unknown, name: string, by: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, name, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === name ? by : replaced(each, name, by)]),
  );
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...new Set([...own, ...Object.values(value).flatMap(namesIn)])];
}

test('any value in any place is read without an error, into texts and numbers that can be shown', () => {
  for (const name of namesIn(content))
    for (const value of hostile) {
      const reading = readingOf(replaced(content, name, value));
      // The argument is not shown: it is sent back as it came.
      const text = JSON.stringify(reading ?? {}, (key, each: unknown) => (key === 'asked' ? '' : each));
      expect(text.length, name).toBeLessThan(200_000);
      expect(/\u202e|e\+/.exec(text)?.[0], name).toBeUndefined();
    }
});

test('lists are cut, and what is no weather is no reading', () => {
  const many = Array.from({ length: 10_000 }, () => ({}));
  const reading = readingOf({
    places: many.map(() => ({ forecast: { days: many, hours: { time: many } }, alerts: { alerts: many } })),
  })!;
  expect(reading.places).toHaveLength(10);
  expect(reading.places[0]!.alerts).toHaveLength(20);
  for (const nothing of [undefined, null, 'x', [], {}, { places: [] }, { places: 'x' }])
    expect(readingOf(nothing)).toBeUndefined();
});
