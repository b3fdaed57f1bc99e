import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { raw } from './upstream.ts';
import { callTool, Workspace } from './workspace.ts';

type Json = { readonly [name: string]: unknown };

/** An information block as the national services write it. */
const info = (more: Json = {}): Json => ({
  language: 'en-GB',
  category: ['Met'],
  event: 'Orange Wind warning',
  responseType: ['Monitor'],
  urgency: 'Future',
  severity: 'Severe',
  certainty: 'Likely',
  effective: '2026-11-20T12:00:00+01:00',
  onset: '2026-11-20T18:00:00+01:00',
  expires: '2026-11-21T06:00:00+01:00',
  senderName: 'Deutscher Wetterdienst',
  headline: 'Orange Wind Warning for Germany - Brandenburg',
  description: 'Gusts of 100 km/h are expected.',
  instruction: 'Avoid exposed places.',
  parameter: [
    { valueName: 'awareness_level', value: '3; orange; Severe' },
    { valueName: 'awareness_type', value: '1; Wind' },
  ],
  area: [area('Berlin and around', around(52.52, 13.41))],
  ...more,
});

function area(areaDesc: string, polygon?: string, circle?: string): Json {
  return {
    areaDesc,
    ...(polygon !== undefined && { polygon: [polygon] }),
    ...(circle !== undefined && { circle: [circle] }),
    ...(polygon === undefined &&
      circle === undefined && { geocode: [{ valueName: 'EMMA_ID', value: 'DE048' }] }),
  };
}

/** A square of 2 degrees around a point; longitudes beyond 180 degrees are written as negative ones. */
function around(latitude: number, longitude: number): string {
  const point = (north: number, east: number) => {
    const x = longitude + east;
    return `${latitude + north},${x > 180 ? x - 360 : x < -180 ? x + 360 : x}`;
  };
  return [point(1, -1), point(1, 1), point(-1, 1), point(-1, -1), point(1, -1)].join(' ');
}

let last = 0;

const warning = (infos: readonly Json[], more: Json = {}): Json => {
  last += 1;
  const alert = {
    identifier: `2.49.0.0.276.0.DE.${last}`,
    sender: 'opendata@dwd.de',
    sent: '2026-11-20T12:00:00+01:00',
    status: 'Actual',
    msgType: 'Alert',
    scope: 'Public',
    info: infos,
    ...more,
  };
  return { uuid: `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`, alert };
};

const feedPath = '/api/v1/warnings/feeds-germany';

/** Asks for the alerts in Berlin by its coordinates, whose time zone tells the country. */
async function alertsOf(warnings: readonly unknown[], place = '52.52,13.41') {
  await using workspace = await Workspace.create();
  workspace.upstream.documents.set('/api/v1/warnings/', { warnings });
  await using client = await workspace.connect();
  return await callTool(client, 'alerts', { place });
}

describe('alerts of MeteoAlarm', () => {
  test('are those whose outline contains the place', async () => {
    const { text, facts } = await alertsOf([
      warning([info()]),
      warning([info({ event: 'Red Snow warning', area: [area('Bavaria', around(48.1, 11.6))] })]),
    ]);
    expect(text).toBe(
      [
        '52.52° N 13.41° E',
        '1 active alert',
        '',
        'Orange Wind warning (severity Severe, urgency Future, certainty Likely)',
        'Area: Berlin and around',
        'From 2026-11-20T18:00:00+01:00 until 2026-11-21T06:00:00+01:00',
        'Deutscher Wetterdienst writes:',
        '> Orange Wind Warning for Germany - Brandenburg',
        '> Gusts of 100 km/h are expected.',
        '> Avoid exposed places.',
        '',
        'Note: The place is taken to be in Germany, by its time zone Europe/Berlin',
        'Source: MeteoAlarm, fetched 2026-11-20T13:46:00Z',
        'EUMETNET MeteoAlarm (https://meteoalarm.org/) and its weather services, CC BY 4.0; that site may have newer alerts',
      ].join('\n'),
    );
    expect(facts).toMatchObject({ source: 'meteoalarm', count: 1, alerts: [{ reach: 'outline' }] });
  });

  test('without an outline are those of the country, after those that name the place, and say so', async () => {
    const { text, facts } = await alertsOf(
      [
        warning([info({ severity: 'Extreme', area: [area('Kreis Uckermark')] })]),
        warning([info({ severity: 'Extreme', area: [area('Kreis Barnim')] })]),
        warning([info({ severity: 'Minor', area: [area('Kanton Zürich')] })]),
        warning([info({ severity: 'Moderate', area: [area('Lake', undefined, '47.37,8.54 12')] })]),
        warning([info({ severity: 'Extreme', area: [area('Far lake', undefined, '46.2,6.1 12')] })]),
      ],
      'Zürich',
    );
    expect(facts['alerts']).toMatchObject([
      { severity: 'Moderate', area: 'Lake', reach: 'outline' },
      { severity: 'Minor', area: 'Kanton Zürich', reach: 'area name' },
      { severity: 'Extreme', area: 'Kreis Uckermark; Kreis Barnim', reach: 'country' },
    ]);
    expect(text).toContain(
      'Area: Kreis Uckermark; Kreis Barnim (without an outline: it may not include the place)',
    );
    expect(text).toContain(
      'Note: 1 of the alerts for Switzerland may not apply to the place: the source gives no outline of the area',
    );
  });

  test('are in English or else in their first language, which is named', async () => {
    const german = info({ language: 'de-DE', event: 'Sturmböen', headline: 'Amtliche Warnung' });
    const both = await alertsOf([warning([german, info()])]);
    expect(both.text).toContain('Orange Wind warning');
    expect(both.text).not.toContain('Sturmböen');
    const one = await alertsOf([warning([german, info({ language: 'fr-FR', event: 'Vent' })])]);
    expect(one.text).toContain('Sturmböen');
    expect(one.text).toContain('Deutscher Wetterdienst writes in the language de-DE:');
    expect(one.facts).toMatchObject({ count: 1, alerts: [{ language: 'de-DE' }] });
  });

  test('are left out when they ended, were cancelled or replaced, are tests, or say that all is well', async () => {
    const replaced = { identifier: 'old' };
    const cancelled = { identifier: 'wrong' };
    const references = (id: string) => `opendata@dwd.de,${id},2026-11-20T10:00:00+01:00`;
    const { text, facts } = await alertsOf([
      warning([info({ event: 'Replaced' })], replaced),
      warning([info({ event: 'Update' })], {
        msgType: 'Update',
        references: `${references('older')} ${references('old')}`,
      }),
      warning([info({ event: 'Wrong' })], cancelled),
      warning([info({ event: 'Cancel' })], { msgType: 'Cancel', references: references('wrong') }),
      warning([info({ event: 'Test' })], { status: 'Test' }),
      warning([info({ event: 'Ended', expires: '2026-11-20T13:00:00+00:00' })]),
      warning([
        info({ event: 'Green', parameter: [{ valueName: 'awareness_level', value: '1; green; Minor' }] }),
      ]),
    ]);
    expect((facts['alerts'] as Json[]).map(({ event }) => event)).toEqual(['Update']);
    expect(text).toContain('1 test or exercise message is left out');
    expect(text).toContain('1 alert has ended and is left out');
  });

  test.each([
    ['179.5', '-16.5,179.5', true],
    ['-179.5', '-16.5,-179.5', true],
    ['177', '-16.5,177', false],
    ['-177', '-16.5,-177', false],
    ['0', '-16.5,0', false],
  ])('with an outline over the antimeridian: longitude %s', async (_, at, included) => {
    await using workspace = await Workspace.create();
    const [latitude, longitude] = at.split(',').map(Number);
    const place = { name: 'Isle', latitude, longitude, country_code: 'FR', country: 'France' };
    workspace.upstream.documents.set('/v1/search', { results: [place] });
    const warnings = [warning([info({ area: [area('Sea', around(-16.5, 180))] })])];
    workspace.upstream.documents.set('/api/v1/warnings/feeds-france', { warnings });
    await using client = await workspace.connect();
    const { facts } = await callTool(client, 'alerts', { place: 'Isle' });
    expect(facts['count']).toBe(included ? 1 : 0);
  });

  test.each([
    ['no list', { results: [] }, 'The document of MeteoAlarm has no list of warnings'],
    ['a list', [], 'The document of MeteoAlarm has no list of warnings'],
  ])('from a document with another format: %s', async (_, document, message) => {
    await using workspace = await Workspace.create();
    workspace.upstream.documents.set('/api/v1/warnings/', document);
    await using client = await workspace.connect();
    const { text, isError, facts } = await callTool(client, 'alerts', { place: 'Zürich' });
    expect({ text, isError, kind: facts['error'] }).toEqual({
      text: message,
      isError: true,
      kind: 'invalid_reply',
    });
  });

  test('with odd members are read as far as they go', async () => {
    const { facts } = await alertsOf([
      null,
      'x',
      { alert: null },
      warning([]),
      { alert: { info: 'x' } },
      warning([info({ area: [area('Not a polygon', 'a b c')] })]),
      warning([info({ area: [area('Too short', '1,1 2,2')] })]),
      warning([info({ area: { areaDesc: 'One object', polygon: around(52.52, 13.41) } })]),
      warning([info({ event: 'No area', area: undefined })]),
      warning([info({ event: 'a\u0000b\u202ec', area: [area('x'.repeat(5_000), around(52.52, 13.41))] })]),
    ]);
    const alerts = facts['alerts'] as { event: string; area: string; reach: string }[];
    expect(alerts.map(({ area: name, reach }) => [name.slice(0, 30), reach])).toEqual([
      ['One object', 'outline'],
      ['x'.repeat(30), 'outline'],
      ['Not a polygon; Too short', 'country'],
    ]);
    expect(alerts[1]!.area.length).toBeLessThanOrEqual(501);
    for (const hidden of ['\u0000', '\u202e']) expect(alerts[1]!.event).not.toContain(hidden);
  });

  test('of a thousand districts are joined and paged, so that no answer is long', async () => {
    const texts = Array.from({ length: 60 }, (_, index) =>
      warning([
        info({
          event: `Warning ${index}`,
          description: 'x'.repeat(1_900),
          instruction: 'y'.repeat(1_900),
          area: [area('District')],
        }),
      ]),
    );
    const districts = Array.from({ length: 1_000 }, (_, index) =>
      warning([info({ area: [area(`District ${index}`)] })]),
    );
    await using workspace = await Workspace.create();
    workspace.upstream.documents.set('/api/v1/warnings/', { warnings: [...districts, ...texts] });
    await using client = await workspace.connect();
    const seen: string[] = [];
    for (let cursor: number | undefined = 0; cursor !== undefined;) {
      const { text, facts } = await callTool(client, 'alerts', { place: 'Zürich', cursor });
      expect(text.length).toBeLessThan(40_000);
      seen.push(...(facts['alerts'] as { event: string }[]).map(({ event }) => event));
      cursor = facts['nextCursor'] as number | undefined;
    }
    expect(seen).toHaveLength(61);
    expect(new Set(seen).size).toBe(61);
  });
});

describe('a feed that is not what it should be', () => {
  const bomb =
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY l "lol">' +
    '<!ENTITY m "&l;&l;&l;&l;&l;&l;&l;&l;&l;&l;">]><alert>&x;&m;</alert>';
  const json = JSON.stringify({ warnings: [warning([info({ senderName: 'Météo' })])] });

  const ask = async (body: string | Uint8Array, headers: { [name: string]: string } = {}) => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect();
    await callTool(client, 'search_place', { name: 'Zürich' });
    workspace.upstream.next(raw(body, headers), raw(body, headers));
    return await callTool(client, 'alerts', { place: 'Zürich' });
  };

  test.each<[string, string | Uint8Array, { [name: string]: string }, RegExp]>([
    ['XML', bomb, { 'content-type': 'application/cap+xml' }, /application\/cap\+xml instead of JSON/],
    ['XML that is called JSON', bomb, {}, /answered with invalid JSON/],
    ['a cut text', json.slice(0, -30), {}, /answered with invalid JSON/],
    ['UTF-16', Buffer.from(json, 'utf16le'), {}, /answered with invalid JSON/],
    ['an empty text', '', {}, /answered with invalid JSON/],
    [
      '50 MB',
      gzipSync(Buffer.concat([Buffer.from('{"warnings":["'), Buffer.alloc(50e6, 'x'), Buffer.from('"]}')])),
      { 'content-encoding': 'gzip' },
      /is larger than 33554432 bytes/,
    ],
  ])('%s', async (_, body, headers, message) => {
    const { text, isError, facts } = await ask(body, headers);
    expect(isError).toBe(true);
    expect(text).toMatch(message);
    expect(text).not.toContain('lol');
    expect(facts['error']).toBe('invalid_reply');
  });

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${json}`)],
    ['Latin-1', Buffer.from(json, 'latin1')],
    ['more than 5 MiB', Buffer.from(json.replace('{', `{"x":"${'x'.repeat(6_000_000)}",`))],
  ])('%s is read', async (_, body) => {
    const { text, facts } = await ask(body);
    expect(text).toContain('No active alerts');
    expect(facts).toMatchObject({ count: 0 });
  });

  test('an old feed on disk is served, as stale, while the source fails', async () => {
    await using workspace = await Workspace.create();
    workspace.upstream.documents.set('/api/v1/warnings/', { warnings: [warning([info()])] });
    await using first = await workspace.connect();
    await callTool(first, 'alerts', { place: '52.52,13.41' });
    expect(workspace.upstream.count(feedPath)).toBe(1);
    workspace.clock.time += 10 * 60_000;
    workspace.upstream.always = raw(bomb, { 'content-type': 'application/xml' });
    await using second = await workspace.connect();
    const { text } = await callTool(second, 'alerts', { place: '52.52,13.41' });
    expect(text).toContain('Orange Wind warning');
    expect(text).toContain('STALE: 10 minutes old.');
    expect(text).toContain('instead of JSON');
  });

  test('a country without a feed is named', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect();
    await callTool(client, 'search_place', { name: 'Zürich' });
    workspace.upstream.next(raw('{}', {}, 404));
    expect(await callTool(client, 'alerts', { place: 'Zürich' })).toMatchObject({
      isError: true,
      text: 'MeteoAlarm has no feed of Switzerland',
      facts: { error: 'not_supported' },
    });
  });
});

test('a dataset may have the feed of MeteoAlarm', async () => {
  await using workspace = await Workspace.create();
  workspace.putSample('berlin', 'place', 'current');
  workspace.put('dataset/berlin/alerts.json', {
    warnings: [
      warning([info()]),
      warning([info({ event: 'Elsewhere', area: [area('Bavaria', around(48.1, 11.6))] })]),
    ],
  });
  await using client = await workspace.connect({ provider: 'dataset' });
  expect((await callTool(client, 'alerts', { place: 'berlin' })).facts).toMatchObject({
    source: 'dataset (meteoalarm)',
    count: 1,
    alerts: [{ event: 'Orange Wind warning' }],
  });
});
