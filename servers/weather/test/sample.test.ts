import { describe, expect, test } from 'vitest';
import { callTool, readJson, Workspace } from './workspace.ts';

const dayMs = 86_400_000;

describe('the sample', () => {
  test.each([
    ['a year later', 365],
    ['in summer, when clocks have another offset', 230],
    ['years later', 2_000],
  ])('is dated to today, %s', async (_, days) => {
    await using workspace = await Workspace.create();
    workspace.clock.time += days * dayMs;
    const today = new Date(workspace.clock.time).toISOString().slice(0, 10);
    const end = new Date(workspace.clock.time - 5 * dayMs).toISOString().slice(0, 10);
    await using client = await workspace.connect({ demo: true });

    for (const place of ['berlin', 'kathmandu', 'springfield']) {
      const { facts } = await callTool(client, 'forecast', { place, hourly: true });
      expect((facts['days'] as { date: string }[])[0]!.date, place).toBe(today);
      const { time } = facts['hours'] as { time: string[] };
      expect(time[0]!.slice(0, 10), place).toBe(today);
      const current = (await callTool(client, 'current', { place })).facts['current'] as { time: string };
      expect(current.time.slice(0, 10), place).toBe(today);
    }
    const berlin = (await callTool(client, 'forecast', { place: 'berlin' })).facts;
    expect((berlin['days'] as { sunrise: string }[])[0]!.sunrise).toContain(`${today}T07:32`);
    const history = await callTool(client, 'history', { place: 'berlin', start: end, end });
    expect(history.facts['days']).toMatchObject([{ date: end }]);
    const { alerts } = (await callTool(client, 'get_alerts', { state: 'IL' })).facts as {
      alerts: { sent: string }[];
    };
    expect(alerts[0]!.sent.slice(0, 10)).toBe(today);
    expect((await callTool(client, 'air_quality', { place: 'berlin' })).text).toContain(today);
  });

  test('has a sun that is up all day in the polar summer', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    const { facts } = await callTool(client, 'forecast', { place: 'McMurdo', days: 1 });
    expect(facts['days']).toMatchObject([{ date: '2026-11-21', sun: 'up all day' }]);
  });

  test('is dated to the new day after midnight in a running process', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    const firstDay = async () => {
      const { facts } = await callTool(client, 'forecast', { place: 'berlin' });
      return (facts['days'] as { date: string }[])[0]!.date;
    };
    expect(await firstDay()).toBe('2026-11-20');
    workspace.clock.time += dayMs;
    expect(await firstDay()).toBe('2026-11-21');
  });

  test('is not dated to a later hour than the present one', async () => {
    await using workspace = await Workspace.create();
    workspace.clock.time = Date.UTC(2026, 10, 22, 8, 3);
    await using client = await workspace.connect({ demo: true });
    const { text } = await callTool(client, 'forecast', { place: 'Berlin' });
    expect(text).toContain('from the sample, stored 2026-11-22T08:03:00Z');
  });

  test.each([2, 8, 13, 23])(
    'says nothing of a later time than the present one, at %s:03 UTC',
    async (hour) => {
      await using workspace = await Workspace.create();
      for (const day of [20, 22]) {
        const now = (workspace.clock.time = Date.UTC(2026, 10, day, hour, 3));
        await using client = await workspace.connect({ demo: true });
        for (const place of ['berlin', 'kathmandu', 'springfield']) {
          const current = await callTool(client, 'current', { place });
          expect(observedAt(current.facts, 'current'), place).toBeLessThanOrEqual(now);
          const forecast = await callTool(client, 'forecast', { place, hourly: true });
          for (const { facts } of [current, forecast]) {
            for (const name of ['issuedAt', 'fetchedAt']) {
              if (facts[name] !== null)
                expect(Date.parse(facts[name] as string), name).toBeLessThanOrEqual(now);
            }
          }
        }
        const air = await callTool(client, 'air_quality', { place: 'berlin' });
        expect(observedAt(air.facts, 'air')).toBeLessThanOrEqual(now);
        const alerts = await callTool(client, 'alerts', { place: 'springfield' });
        const [alert] = alerts.facts['alerts'] as { sent: string }[];
        expect(Date.parse(alert!.sent)).toBeLessThanOrEqual(now);
        expect(Date.parse(alerts.facts['issuedAt'] as string)).toBeLessThanOrEqual(now);
      }
    },
  );

  test('current weather is of the present quarter of an hour in every zone, and agrees with the hours', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    const places = (await client.listResources()).flatMap(({ uri }) =>
      uri.endsWith('/current') ? [decodeURIComponent(uri.split('/')[2]!)] : [],
    );
    for (const [day, hour] of [
      [24, 14],
      [24, 23],
      [25, 3],
      [25, 8],
    ] as const) {
      const now = (workspace.clock.time = Date.UTC(2026, 10, day, hour, 55));
      for (const place of places) {
        const { facts } = await callTool(client, 'current', { place });
        const age = now - observedAt(facts, 'current');
        expect(age, `${place} ${hour}`).toBeGreaterThanOrEqual(0);
        expect(age, `${place} ${hour}`).toBeLessThanOrEqual(3_600_000);
      }
      const { facts: present } = await callTool(client, 'current', { place: 'Tokyo' });
      const { facts: forecast } = await callTool(client, 'forecast', { place: 'Tokyo', hourly: true });
      const { time, temperatureC } = forecast['hours'] as { time: string[]; temperatureC: number[] };
      const at = time.findIndex((each) => Date.parse(each) === Date.UTC(2026, 10, day, hour));
      expect((present['current'] as { temperatureC: number }).temperatureC).toBe(temperatureC[at]);
    }
  });

  test('its observation moves with the clock', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    const times: string[] = [];
    for (const [hour, minute] of [
      [8, 3],
      [8, 14],
      [8, 15],
      [13, 50],
      [20, 0],
    ] as const) {
      workspace.clock.time = Date.UTC(2026, 10, 22, hour, minute);
      const { facts } = await callTool(client, 'current', { place: 'berlin' });
      times.push((facts['current'] as { time: string }).time.slice(11, 16));
    }
    expect(times).toEqual(['09:00', '09:00', '09:15', '14:45', '21:00']);
  });

  test('says of a product that a place does not have which places have it', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    for (const [tool, place, text] of [
      ['alerts', 'paris', 'The sample has no alerts for "paris", only for berlin, springfield'],
      ['history', 'kathmandu', 'The sample has no history for "kathmandu", only for auckland, beijing, '],
    ] as const) {
      const days = tool === 'history' ? { start: '2026-11-01', end: '2026-11-02' } : {};
      const answer = await callTool(client, tool, { place, ...days });
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(text) });
    }
    expect(await callTool(client, 'forecast', { place: 'berlin', measures: ['waveHeight'] })).toMatchObject({
      isError: true,
      text: expect.stringContaining(
        'The sample has no forecast of the sea for "berlin", only for auckland, ',
      ),
    });
  });

  test('marks the answers of search_place', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    const { text, facts } = await callTool(client, 'search_place', { name: 'Berlin' });
    expect(text).toContain('SAMPLE:');
    expect(facts).toMatchObject({ count: 1, sample: true });
  });

  test('names its places where it does not have one', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    const text =
      /^No place found with the name "Madrid"; the sample has auckland, beijing, berlin, .*, tokyo$/;
    for (const place of ['Madrid', 'Madrid, Spain']) {
      expect(await callTool(client, 'forecast', { place }), place).toMatchObject({
        isError: true,
        text: expect.stringMatching(text),
        facts: { error: 'place_not_found', name: place },
      });
    }
    expect((await callTool(client, 'search_place', { name: 'Madrid' })).text).toMatch(
      /^No place found with this name; the sample has auckland, .*\n/,
    );
  });

  test('has seven days of twenty places on all continents, and everything of them is marked', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    const places = (await client.listResources()).flatMap(({ uri }) =>
      uri.endsWith('/current') ? [decodeURIComponent(uri.split('/')[2]!)] : [],
    );
    expect(places).toHaveLength(20);
    const continents = new Set<string>();
    for (const place of places) {
      const { text, facts } = await callTool(client, 'forecast', { place, hourly: true, models: true });
      const { days, place: where } = facts as unknown as {
        days: { [name: string]: number | string }[];
        place: { latitude: number; longitude: number; timezone: string };
      };
      continents.add(where.timezone.split('/')[0]!);
      const today = new Intl.DateTimeFormat('sv', { timeZone: where.timezone }).format(workspace.clock.time);
      expect(days, place).toHaveLength(7);
      expect(days[0]!['date'], place).toBe(today);
      for (const day of days)
        expect(day['temperatureMaxC'], `${place} ${day['date']}`).toEqual(expect.any(Number));
      expect(text, place).toContain('SAMPLE: made-up data of the program, not real weather.');
      expect(text, place).not.toMatch(/impossible|treated as|only \d+ of \d+ days/);
      for (const tool of ['current', 'air_quality'] as const) {
        const answer = await callTool(client, tool, { place });
        if (!answer.isError) expect(answer.text, `${tool} ${place}`).toContain('SAMPLE:');
      }
      const now = await callTool(client, 'current', { place });
      if (place !== 'springfield') expect(now.text, place).toContain('Precipitation until ');
    }
    expect([...continents].toSorted()).toEqual([
      'Africa',
      'America',
      'Antarctica',
      'Asia',
      'Atlantic',
      'Australia',
      'Europe',
      'Pacific',
    ]);
  });

  test('has the waves at coasts, past days, and an alert in the format of MeteoAlarm', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    const sea = { place: 'sydney', measures: ['waveHeight', 'seaTemperature'], days: 1 };
    expect((await callTool(client, 'forecast', sea)).text).toMatch(/19\.5/);
    const past = { place: 'paris', start: '2025-12-24', end: '2025-12-24' };
    expect((await callTool(client, 'history', past)).text).toContain('Wed 2025-12-24');
    const { text } = await callTool(client, 'alerts', { place: 'Berlin' });
    expect(text).toContain('1 active alert\n\nYellow Wind warning (severity Moderate');
    expect(text).toContain('SAMPLE:');
  });

  test('marks the resources', async () => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({ demo: true });
    expect(await readJson(client, 'weather://berlin/current')).toMatchObject({ sample: true });
  });
});

/** The time of a member of structured content, in milliseconds since 1970. */
function observedAt(facts: { readonly [name: string]: unknown }, name: string): number {
  return Date.parse((facts[name] as { time: string }).time);
}
