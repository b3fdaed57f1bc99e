import { describe, expect, test } from 'vitest';
import { reason, reply } from '../../test/upstream.ts';
import { sampleDocument } from '../../test/sample-document.ts';
import { callTool, Workspace } from '../../test/workspace.ts';

const midnight = Date.UTC(2026, 10, 19, 23) / 1000;

/** A reply for several models, as Open-Meteo names their variables. */
const models = {
  ...sampleDocument('berlin-current'),
  daily_units: { temperature_2m_max_ecmwf_ifs025: '°C', precipitation_sum_ecmwf_ifs025: 'mm' },
  daily: {
    time: [midnight, midnight + 86_400],
    temperature_2m_max_ecmwf_ifs025: [5.7, 6],
    temperature_2m_max_gfs_seamless: [8, null],
    temperature_2m_max_icon_seamless: [4.5, null],
    temperature_2m_max_gem_seamless: [900, null],
    precipitation_sum_ecmwf_ifs025: [0, 1],
    precipitation_sum_gfs_seamless: [4.2, 1],
  },
};

describe('forecast with models', () => {
  test('has the range of several models for each day', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect();
    await callTool(client, 'forecast', { place: '52.52,13.41', days: 2 });
    workspace.upstream.next(reply(200, models));
    const args = { place: '52.52,13.41', days: 2, models: true };
    const { text, facts } = await callTool(client, 'forecast', args);
    const [, first, second] = text.split('\n');
    expect(first).toMatch(/, models: high 4\.5 to 8 °C, precipitation 0 to 4\.2 mm$/);
    expect(second).toMatch(/, models: precipitation 1 mm$/);
    expect(text).toContain('Note: The ranges show how far these models differ: ECMWF IFS, GFS, ICON, GEM');
    expect(text).toContain('temperature_2m_max_gem_seamless has impossible values such as 900');
    expect(facts['days']).toMatchObject([
      { models: { temperatureMaxC: [4.5, 8], precipitationMm: [0, 4.2] } },
      { models: { precipitationMm: [1, 1] } },
    ]);
    expect(workspace.upstream.requests.at(-1)).toContain(
      'models=ecmwf_ifs025%2Cgfs_seamless%2Cicon_seamless%2Cgem_seamless',
    );
    expect(workspace.upstream.requests).toHaveLength(2);
  });

  test.each([
    ['a refusal', reason(400, 'No data for this model'), 'No data for this model'],
    ['another format', reply(200, { daily: 'x' }), 'has no days of several models'],
  ])('has a note instead after %s', async (_, answer, words) => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect();
    await callTool(client, 'forecast', { place: '52.52,13.41' });
    workspace.upstream.next(answer);
    const { text, isError } = await callTool(client, 'forecast', { place: '52.52,13.41', models: true });
    expect(isError).toBe(false);
    expect(text).toContain('Fri 2026-11-20: Slight rain showers');
    expect(text).toContain('Note: How far the models differ is not available: ');
    expect(text).toContain(words);
  });
});

describe('forecast with astronomy', () => {
  const ask = async (place: string, at: number) => {
    await using workspace = await Workspace.create();
    workspace.clock.time = at;
    await using client = await workspace.connect({ demo: true });
    const { text, facts } = await callTool(client, 'forecast', { place, days: 1, astronomy: true });
    return { line: text.split('\n')[1]!, day: (facts['days'] as { [name: string]: unknown }[])[0]! };
  };

  test('has the length of each day, and the moon', async () => {
    const { line, day } = await ask('berlin', Date.UTC(2026, 10, 20, 13, 46));
    expect(line).toContain('sun 07:32 to 16:05, day length 8 h 33 min, moon waxing gibbous, 79 % lit');
    expect(day).toMatchObject({ dayLengthMinutes: 513, moonPhase: 'waxing gibbous', moonLitPercent: 79 });
  });

  test.each([
    ['2026-11-09', 'new moon', 0],
    ['2026-11-17', 'first quarter', 50],
    ['2026-11-24', 'full moon', 100],
    ['2026-12-01', 'last quarter', 50],
    ['2026-11-12', 'waxing crescent', 10],
    ['2026-11-27', 'waning gibbous', 92],
    ['2026-12-05', 'waning crescent', 14],
  ])('knows the moon of %s: %s', async (date, phase, lit) => {
    const { day } = await ask('berlin', Date.parse(`${date}T12:00Z`));
    expect(day['moonPhase']).toBe(phase);
    expect(Math.abs((day['moonLitPercent'] as number) - lit)).toBeLessThan(5);
  });

  test('computes the sun where the source does not have it', async () => {
    await using workspace = await Workspace.create();
    const { daily, ...document } = sampleDocument('berlin-forecast') as { daily: object };
    const without = { sunrise: [], sunset: [], daylight_duration: [] };
    workspace.put('dataset/berlin/forecast.json', { ...document, daily: { ...daily, ...without } });
    workspace.putSample('berlin', 'place');
    await using client = await workspace.connect({ provider: 'dataset' });
    const ask = { place: 'berlin', days: 1 };
    expect((await callTool(client, 'forecast', ask)).text).not.toContain('sun ');
    const { text } = await callTool(client, 'forecast', { ...ask, astronomy: true });
    // At this longitude and on this date, the sun is highest at 11:52.
    expect(text).toMatch(/sun 07:3[5-7] to 16:0[6-8], day length 8 h 3[0-3] min/);
  });

  test.each([
    ['the far north in winter', '78.22,15.65', /sun down all day, day length 0 h 0 min/],
    ['the far south in winter', '-77.85,166.67', /sun up all day, day length 24 h 0 min/],
    ['the antimeridian', '-17.8,177.4', /sun 05:[23]\d to 18:[23]\d, day length 1[23] h \d+ min/],
  ])('computes the sun in %s', async (_, place, words) => {
    await using workspace = await Workspace.create();
    const [latitude, longitude] = place.split(',').map(Number);
    const zone = { '15.65': 'Arctic/Longyearbyen', '166.67': 'Antarctica/McMurdo' }[String(longitude)];
    workspace.put('dataset/there/forecast.json', {
      latitude,
      longitude,
      utc_offset_seconds: 0,
      timezone: zone ?? 'Pacific/Fiji',
      daily: { time: ['2026-11-20'], temperature_2m_max: [1] },
    });
    await using client = await workspace.connect({ provider: 'dataset' });
    const { text } = await callTool(client, 'forecast', { place, days: 1, astronomy: true });
    expect(text).toMatch(words);
  });
});
