import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import { callTool, Workspace } from '../../test/workspace.ts';

const place = '52.52,13.41';
const background = { light: [255, 255, 255], dark: [22, 24, 29] };

type Content = { type: string; data: string; mimeType: string; text: string };

/** The image of a chart: its size, the number of pixels of each color, and the text beside the image. */
async function chart(args: object, prepare?: (workspace: Workspace) => void) {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  prepare?.(workspace);
  const { content, structuredContent } = await client.callTool('forecast', { place, ...args });
  expect(structuredContent).toBeUndefined();
  const [text, image] = content as Content[];
  const { width, height, data, palette } = decode(Buffer.from(image!.data, 'base64'));
  const counts = new Map<string, number>();
  for (const index of data) {
    const color = palette![index]!.slice(0, 3).join();
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return {
    text: text!.text,
    type: image!.mimeType,
    width,
    height,
    counts,
    bytes: image!.data.length,
  };
}

test.each(['light', 'dark'] as const)(
  'a %s chart is a PNG of 800 pixels width, with the ranges as text',
  async (theme) => {
    const { text, type, width, height, counts, bytes } = await chart({ chart: theme, days: 3 });
    expect([type, width, height]).toEqual(['image/png', 800, 742]);
    expect(text).toContain(
      'Chart of 2026-11-20 14:00 to 2026-11-22 23:00, Europe/Berlin\ntemperature 1 to 5.7 °C\nchance of precipitation',
    );
    expect(text).toContain('Source: Open-Meteo, fetched ');
    const [[mostly]] = [...counts].toSorted((a, b) => b[1] - a[1]) as [[string, number]];
    expect(mostly).toBe(background[theme].join());
    expect(bytes).toBeLessThan(48 * 1024);
  },
);

test('each value is drawn where its axis says: a higher one higher', async () => {
  const rows = async (temperature: number) => {
    const start = Date.UTC(2026, 10, 20, 13) / 1000;
    const time = Array.from({ length: 24 }, (_, index) => start + index * 3600);
    await using workspace = await Workspace.create();
    await using client = await workspace.connect();
    workspace.upstream.documents.set('/v1/forecast', {
      latitude: 52.52,
      longitude: 13.41,
      utc_offset_seconds: 3600,
      timezone: 'Europe/Berlin',
      hourly_units: { temperature_2m: '°C', apparent_temperature: '°C' },
      hourly: {
        time,
        temperature_2m: time.map(() => temperature),
        apparent_temperature: time.map((_, index) => (index % 2) * 10),
      },
    });
    const { content } = await client.callTool('forecast', {
      place,
      chart: 'light',
      measures: ['temperature', 'feelsLike'],
    });
    const { width, data, palette } = decode(Buffer.from((content as Content[])[1]!.data, 'base64'));
    const line = palette!.findIndex((color) => color.slice(0, 3).join() === '204,78,40');
    const found = [...data.keys()].filter((at) => data[at] === line && Math.floor(at / width) > 76);
    return found.map((at) => Math.floor(at / width));
  };
  // The axis is from 0, at pixel 194, to 10, at pixel 76.
  for (const [temperature, y] of [
    [2, 194 - 118 * 0.2],
    [8, 194 - 118 * 0.8],
  ] as const) {
    const found = await rows(temperature);
    expect(found.length).toBeGreaterThan(300);
    for (const row of found) expect(Math.abs(row + 0.5 - y)).toBeLessThan(2);
  }
});

test('below a chart of 16 days is the date of each whole day', async () => {
  const start = Date.UTC(2026, 10, 20) / 1000;
  const time = Array.from({ length: 16 * 24 }, (_, index) => start + index * 3600);
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.documents.set('/v1/forecast', {
    latitude: 52.52,
    longitude: 13.41,
    utc_offset_seconds: 0,
    timezone: 'UTC',
    hourly_units: { temperature_2m: '°C' },
    hourly: { time, temperature_2m: time.map((_, index) => index % 24) },
  });
  const { content } = await client.callTool('forecast', {
    place,
    chart: 'light',
    days: 16,
    measures: ['temperature'],
  });
  expect(labelsOfDays((content as Content[])[1]!.data, 8)).toHaveLength(15);
});

test('below a chart of one hour of each day is the date of each day, below its hour', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  rainy(workspace);
  const { content } = await client.callTool('forecast', {
    place,
    chart: 'light',
    hours: 'T12',
    days: 3,
    measures: ['temperature'],
  });
  const labels = labelsOfDays((content as Content[])[1]!.data, 40);
  expect(labels).toHaveLength(3);
  // The axis is from 58 to 784; the first and the last label stay inside.
  expect(labels[0]!.from).toBeLessThan(64);
  expect(Math.abs((labels[1]!.from + labels[1]!.to) / 2 - (58 + 784) / 2)).toBeLessThan(6);
  expect(labels[2]!.to).toBeGreaterThan(778);
});

/**
 * Where the labels of days are, from the left to the right, in pixels. Ink with more than `gap` pixels before
 * it begins another label.
 */
function labelsOfDays(png: string, gap: number): { from: number; to: number }[] {
  const { width, height, data, palette } = decode(Buffer.from(png, 'base64'));
  const ink = palette!.findIndex((color) => color.slice(0, 3).join() === '28,30,34');
  const axis = [...data.keys()].filter((at) => at > (height - 74) * width && data[at] === ink);
  const columns = [...new Set(axis.map((at) => at % width))].toSorted((a, b) => a - b);
  const starts = columns.filter((x, index) => index === 0 || x - columns[index - 1]! > gap);
  return starts.map((from, index) => ({
    from,
    to: columns.findLast((x) => x < (starts[index + 1] ?? width))!,
  }));
}

test('a chart of no data, of one hour and of a name in another script is drawn', async () => {
  const empty = await chart({ chart: 'light', place, measures: ['waveHeight'], days: 1 });
  expect(empty.text).toContain('waves: no data');
  expect(empty.counts.has('204,78,40')).toBe(true);
  const short = await chart({ chart: 'light', hours: '2026-11-20T22', measures: ['temperature'] });
  expect(short.height).toBe(268);
  const beijing = await chart({ chart: 'dark', place: '北京', measures: ['temperature'] });
  expect(beijing.width).toBe(800);
});

test('one hour is drawn as a point and as a bar that can be seen', async () => {
  const colors = { line: '204,78,40', bar: '32,102,196' };
  const measures = ['temperature', 'precipitation'];
  // How many pixels of each color the legends alone have.
  const legend = 14 * 4;
  for (const hours of ['2026-11-21T07', 'T07']) {
    const { counts } = await chart({ chart: 'light', hours, measures, days: 1 }, rainy);
    expect(counts.get(colors.line)).toBeGreaterThan(legend + 12);
    expect(counts.get(colors.bar)).toBeGreaterThan(legend + 1_000);
  }
  // Hours that are a day apart are not joined by a line.
  const { counts } = await chart({ chart: 'light', hours: 'T07', measures, days: 3 }, rainy);
  expect(counts.get(colors.line)).toBeGreaterThan(legend + 3 * 12);
});

test('the first bar is as wide as the others', async () => {
  const { counts: first } = await chart(
    { chart: 'light', hours: '2026-11-21T01/2026-11-21T08', measures: ['precipitation'] },
    (workspace) => rainy(workspace, 0),
  );
  const { counts: second } = await chart(
    { chart: 'light', hours: '2026-11-21T01/2026-11-21T08', measures: ['precipitation'] },
    (workspace) => rainy(workspace, 1),
  );
  const pixels = (counts: ReadonlyMap<string, number>) => counts.get('204,78,40')!;
  expect(pixels(first)).toBeGreaterThan(3_000);
  expect(Math.abs(pixels(first) - pixels(second))).toBeLessThan(400);
});

/** Serves 8 °C, and 2 mm of rain for one of every 24 hours or for all. */
function rainy(workspace: Workspace, only?: number): void {
  const start = Date.UTC(2026, 10, 21) / 1000;
  const time = Array.from({ length: 72 }, (_, index) => start + (index - 24) * 3600);
  workspace.upstream.documents.set('/v1/forecast', {
    latitude: 52.52,
    longitude: 13.41,
    utc_offset_seconds: 3600,
    timezone: 'Europe/Berlin',
    hourly_units: { temperature_2m: '°C', precipitation: 'mm' },
    hourly: {
      time,
      temperature_2m: time.map(() => 8),
      precipitation: time.map((_, index) => (only === undefined || index % 24 === only ? 2 : 0)),
    },
  });
}

test.each([
  [{ measures: ['weatherCode'] }, 'Invalid measures: weatherCode cannot be drawn; leave it out of a chart'],
  [
    { measures: ['temperature', 'precipitation', 'windSpeed', 'humidity', 'windDirection'] },
    'Invalid measures: more than 4 different units; expected at most 4 in a chart',
  ],
  [{ place: [place, '48.14,11.58'] }, 'Invalid place: a list of 2 places; expected one place'],
  [{ format: 'json' }, 'Invalid format: a chart has no "json"; leave out format or chart'],
  [{ chart: 'blue' }, expect.stringContaining('chart')],
])('a chart is refused for %j', async (args, message) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'forecast', { place, chart: 'light', ...args })).toMatchObject({
    isError: true,
    text: message,
  });
  expect(workspace.upstream.requests).toEqual([]);
});

test('while ten charts are drawn, the server answers in between', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await client.callTool('forecast', { place, chart: 'light' });
  let reads = 0;
  let done = false;
  const charts = Promise.all(
    Array.from({ length: 10 }, () => client.callTool('forecast', { place, chart: 'light' })),
  );
  const reading = (async () => {
    while (!done) {
      await client.readResource('weather://places');
      reads++;
    }
  })();
  await charts;
  done = true;
  await reading;
  expect(reads).toBeGreaterThan(3);
});
