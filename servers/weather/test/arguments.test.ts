import { expect, test } from 'vitest';
import { readJson, callTool, Workspace } from './workspace.ts';
import { sampleDocument } from './sample-document.ts';
import { reason } from './upstream.ts';

test.each([
  [{ start: '2026-11-10', end: '2026-11-09' }, 'Invalid start: 2026-11-10 is after end, 2026-11-09'],
  [{ start: '0001-01-01', end: '2026-11-09' }, 'Invalid start: 0001-01-01; expected 1940-01-01 or later'],
  [{ start: '2026-11-10', end: '2026-12-24' }, 'Invalid end: 2026-12-24 is in the future; use forecast'],
  [
    { start: '2026-02-30', end: '2026-03-01' },
    'Invalid start: "2026-02-30"; expected a date such as 2026-11-20',
  ],
  [{ start: 'yesterday', end: 'today' }, 'Invalid start: "yesterday"; expected a date such as 2026-11-20'],
  [
    { start: '2020-01-01', end: '2026-01-01' },
    'Invalid range: 2020-01-01 to 2026-01-01; expected at most 366 days',
  ],
])('the dates %j are refused', async (dates, message) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  expect(await callTool(client, 'history', { place: '52.52,13.41', ...dates })).toMatchObject({
    isError: true,
    text: message,
  });
  expect(workspace.upstream.requests).toEqual([]);
});

test('too many days are refused, and a refusal of the upstream is quoted', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const tooMany = await callTool(client, 'forecast', { place: '52.52,13.41', days: 17 });
  expect(tooMany).toMatchObject({
    isError: true,
    text: expect.stringContaining('days: Too big: expected number to be <=16'),
  });
  workspace.upstream.next(
    reason(400, "Parameter 'end_date' is out of allowed range from 1940-01-01 to 2026-11-18"),
  );
  const refused = await callTool(client, 'history', {
    place: '52.52,13.41',
    start: '2026-11-18',
    end: '2026-11-20',
  });
  expect(refused).toMatchObject({
    isError: true,
    text: `${workspace.upstream.url.host} refused the request: "Parameter 'end_date' is out of allowed range from 1940-01-01 to 2026-11-18"`,
    facts: { error: 'refused', status: 400 },
  });
});

test('an unknown unit is refused; an unknown variable is quoted from the upstream', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const kelvin = await callTool(client, 'current', { place: '52.52,13.41', units: 'kelvin' });
  expect(kelvin).toMatchObject({
    isError: true,
    text: expect.stringContaining('units: Invalid option: expected one of "metric"|"imperial"|"si"'),
  });
  await expect(readJson(client, 'weather://52.52%2C13.41/forecast?units=kelvin')).rejects.toThrow(
    'Invalid units: "kelvin"; expected metric, imperial, si',
  );
  const words = 'Cannot initialize WeatherVariable from invalid String value tempeture_2m for key hourly';
  workspace.upstream.next(reason(400, words));
  expect((await callTool(client, 'forecast', { place: '52.52,13.41' })).text).toContain(words);
  // A refusal is not tried again.
  expect(workspace.upstream.count('/v1/forecast')).toBe(1);
});

test('reads zones with a legacy name, a fixed offset and an unknown name', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  const berlin = sampleDocument('berlin-current');
  const answer = async (place: string, timezone: string, utc_offset_seconds: number) => {
    workspace.upstream.documents.set('/v1/forecast', { ...berlin, timezone, utc_offset_seconds });
    const { facts } = await callTool(client, 'current', { place });
    return [(facts['current'] as { time: string }).time, (facts['place'] as { timezone: string }).timezone];
  };
  expect(await answer('Kyiv', 'Europe/Kiev', 7200)).toEqual(['2026-11-20T15:45+02:00', 'Europe/Kiev']);
  // A place whose zone is known is asked for in it.
  expect(workspace.upstream.requests.at(-1)).toContain('timezone=Europe%2FKyiv');
  expect(await answer('1,1', 'EST', -18_000)).toEqual(['2026-11-20T08:45-05:00', 'EST']);
  expect(await answer('1,2', '+02:00', 7200)).toEqual(['2026-11-20T15:45+02:00', 'UTC+02:00']);
  expect(await answer('1,3', 'Mars/Olympus', 3600)).toEqual(['2026-11-20T14:45+01:00', 'UTC+01:00']);
  expect(workspace.upstream.requests.at(-1)).toContain('timezone=auto');
  workspace.upstream.documents.clear();
  workspace.upstream.next(reason(400, 'Invalid timezone'));
  const { isError } = await callTool(client, 'current', { place: '1,4' });
  expect(isError).toBe(false);
  expect(workspace.upstream.requests.at(-1)).toContain('timezone=GMT');
});
