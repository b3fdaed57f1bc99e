import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@mcp/protocol/testing';
import { hostileCases, type HostileCalls, publishedArguments, triedArguments } from '@mcp/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callForText, Workspace } from './workspace.ts';

/** More than any refusal needs. */
const maxTextLength = 2_000;

const place = '52.52,13.41';
const texts = ['', '\0', 'a\u202eb\u001b[2J', '\ud800', '__proto__', '../../etc/passwd', 'x'.repeat(100_000)];
// Null is a missing argument.
const notStrings = [1, true, {}];
const refused = {
  place: [
    ...texts,
    ...notStrings,
    [],
    [[]],
    Array.from({ length: 11 }, () => place),
    Array.from({ length: 10_000 }, () => place),
    ['', '\0'],
    '91,0',
    '0,181',
    'NaN,NaN',
    '1e308,1',
    '52.52,13.41,7',
    'http://127.0.0.1/',
  ],
  units: [...texts, ...notStrings, [], 'kelvin'],
  format: [...texts, ...notStrings, [], 'xml'],
  boolean: [...texts, 2, [], {}],
  cursor: [...texts, -1, 1.5, 2 ** 53, 1e308, {}],
  name: [...texts.filter((text) => text !== '__proto__'), ...notStrings, [], 'a\nb', 'a,b', '52,13'],
};

/** A valid call of each tool, and for each argument the values that it has to refuse without a request. */
const hostile: HostileCalls = {
  search_place: {
    valid: { name: 'Berlin' },
    values: {
      name: [...notStrings, [], '', 'x', '\0', 'x'.repeat(100_000)],
      language: [...texts, ...notStrings, 'en&name=x', 'xyz'],
      format: refused.format,
    },
  },
  current: {
    valid: { place },
    values: { place: refused.place, units: refused.units, format: refused.format },
  },
  forecast: {
    valid: { place },
    values: {
      place: refused.place,
      days: [...texts, 0, -1, 17, 1.5, 1e308, {}],
      hourly: refused.boolean,
      models: refused.boolean,
      astronomy: refused.boolean,
      hours: [
        ...texts,
        ...notStrings,
        'T24',
        'T18/T06',
        '2026-02-30T06',
        '2026-11-21T06/2026-11-20T18',
        '2026-11-20T06/T18',
        '2026-11-20T06/2026-11-20T07/2026-11-20T08',
      ],
      measures: [
        ...texts,
        ...notStrings,
        [],
        ['temprature'],
        ['__proto__'],
        ['constructor'],
        ['temperature', 'temperature&hourly=x'],
        ['x'.repeat(100_000)],
      ],
      chart: [...texts, ...notStrings, 'blue'],
      units: refused.units,
      format: refused.format,
    },
  },
  history: {
    valid: { place, start: '2026-11-10', end: '2026-11-11' },
    values: {
      place: refused.place,
      start: [
        ...texts,
        ...notStrings,
        '2026-02-30',
        '1939-12-31',
        '2026-11-12',
        '2024-01-01',
        '-000001-01-01',
      ],
      end: [...texts, ...notStrings, '2026-02-30', '2026-11-09', '9999-12-31', '2027-01-01'],
      summary: refused.boolean,
      count: [
        ...texts,
        ...notStrings,
        'temperatureMax',
        'temperatureMax>',
        'temperatureMax>x',
        'temperatureMax>1e999',
        'constructor>1',
        'temperatureMax>1;x',
      ],
      normal: refused.boolean,
      units: refused.units,
      format: refused.format,
    },
  },
  alerts: {
    valid: { place: '39.8,-89.65' },
    values: {
      place: refused.place,
      cursor: refused.cursor.filter((each) => each !== 2 ** 53),
      format: refused.format,
    },
  },
  air_quality: { valid: { place }, values: { place: refused.place, format: refused.format } },
  save_place: { valid: { name: 'home', place: '' }, values: { name: refused.name, place: refused.place } },
  remove_place: { valid: { name: 'home' }, values: { name: [...texts, ...notStrings, 'constructor'] } },
  get_forecast: {
    valid: { latitude: 52.52, longitude: 13.41 },
    values: {
      latitude: [...texts, 91, -91, 1e308, {}, []],
      longitude: [...texts, 181, -181, 1e308, {}, []],
      city: ['Berlin', ...texts],
      days: [...texts, 0, 17, 1.5, {}],
    },
  },
  get_alerts: {
    valid: { state: 'IL' },
    values: {
      state: [...texts, ...notStrings, 'XX', 'CA&point=1,1'],
      cursor: refused.cursor.filter((each) => each !== 2 ** 53),
      format: refused.format,
    },
  },
};

let workspace: Workspace;
let client: Client;

beforeAll(async () => {
  workspace = await Workspace.create();
  client = await workspace.connect();
});
afterAll(async () => {
  await client.close();
  await workspace[Symbol.asyncDispose]();
});

/** Everything in the data directory. */
function files(): string {
  const entries = readdirSync(workspace.data, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${readFileSync(path, 'utf8')}`;
    })
    .toSorted()
    .join('\n');
}

test('hostile values are there for every argument that is published', async () => {
  expect(triedArguments(hostile)).toEqual(await publishedArguments(client));
});

test.each(hostileCases(hostile))(
  'hostile values of $argument in $tool are refused in few words, and no file is changed',
  async ({ tool, argument, valid, tries }) => {
    for (const value of tries) {
      const shown = `${argument}: ${JSON.stringify(value).slice(0, 80)}`;
      const before = { files: files(), requests: workspace.upstream.requests.length };
      const { text, isError } = await callForText(client, tool, { ...valid, [argument]: value });
      expect(isError, `${shown} returned ${text.slice(0, 200)}`).toBe(true);
      expect(text.length, shown).toBeLessThan(maxTextLength);
      expect(text, shown).not.toMatch(/(?!\n)\p{Cc}/u);
      const after = { files: files(), requests: workspace.upstream.requests.length };
      // A name is looked up, and the places found are cached.
      if (after.requests === before.requests) expect(after.files === before.files, shown).toBe(true);
      for (const request of workspace.upstream.requests.slice(before.requests))
        expect(request, shown).toMatch(/^\/v1\/search\?name=[^&]*&count=50&language=[a-z]{2}&format=json$/);
    }
    expect((await callForText(client, 'search_place', { name: 'Berlin' })).isError).toBe(false);
  },
);

test.each([
  { hours: '0001-01-01T00/9999-12-31T23', measures: ['temperature'] },
  { hours: 'T00/T23', measures: Array.from({ length: 10_000 }, () => 'temperature'), days: 16 },
])('a request for more than there is is answered with what there is (%#)', async (args) => {
  const { text, isError } = await callForText(client, 'forecast', { place, ...args });
  expect(isError).toBe(false);
  expect(text.split('\n')[1]).toMatch(/^hour/);
  expect(text.length).toBeLessThan(maxTextLength);
});
