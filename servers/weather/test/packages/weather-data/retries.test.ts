import { expect, onTestFinished, test, vi } from 'vitest';
import { problem, raw, reason, reply } from '../../upstream.ts';
import { currentWith } from './current-with.ts';
import { sampleDocument } from '../../sample-document.ts';
import { callTool, started, Workspace } from '../../workspace.ts';

test('Retry-After in seconds and as a date is observed within the total timeout', async () => {
  const seconds = reason(429, 'Too many requests', { 'retry-after': '7' });
  expect(await currentWith([seconds])).toMatchObject({ isError: false, asked: 2, waits: [7_000] });
  const date = reason(429, 'Too many requests', { 'retry-after': new Date(started + 5_000).toUTCString() });
  expect(await currentWith([date])).toMatchObject({ isError: false, asked: 2, waits: [5_000] });
  expect(await currentWith([seconds, seconds, seconds])).toMatchObject({
    isError: true,
    asked: 3,
    facts: { error: 'rate_limited', retryAfterMs: 7_000 },
  });
  expect(await currentWith([reason(429, 'Too many requests', { 'retry-after': '70' })])).toMatchObject({
    isError: true,
    asked: 1,
    text: 'HOST accepts no more requests for now: "Too many requests". Try again in 70 seconds',
    facts: { error: 'rate_limited', retryAfterMs: 70_000, reason: 'Too many requests' },
  });
});

test.each([
  ['Fri, 20 Nov 2026 13:46:05 GMT', 5_000],
  ['Friday, 20-Nov-26 13:46:05 GMT', 5_000],
  ['Fri Nov 20 13:46:05 2026', 5_000],
  // Neither seconds nor a date: as if it were missing.
  ['2026-11-20T13:46:07', 1_000],
  ['-5', 1_000],
])('Retry-After %j means the same in every time zone', async (header, waitMs) => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  onTestFinished(() => void vi.unstubAllEnvs());
  const busy = reason(429, 'Too many concurrent requests', { 'retry-after': header });
  expect(await currentWith([busy])).toMatchObject({ isError: false, waits: [waitMs] });
});

test.each([
  // The clock shows 13:46:00 UTC.
  ['Minutely API request limit exceeded. Please try again in one minute.', 60_000],
  ['Hourly API request limit exceeded. Please try again in the next hour.', 14 * 60_000],
  ['Daily API request limit exceeded. Please try again tomorrow.', (10 * 60 + 14) * 60_000],
])('without Retry-After the named limit decides the delay: %s', async (words, retryAfterMs) => {
  expect(await currentWith([reason(429, words)])).toMatchObject({
    isError: true,
    asked: 1,
    facts: { error: 'rate_limited', retryAfterMs, reason: words },
  });
});

test('waits a second after too many concurrent requests, and not less than Retry-After', async () => {
  expect(await currentWith([reason(429, 'Too many concurrent requests')])).toMatchObject({
    isError: false,
    waits: [1_000],
  });
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.next(
    reason(429, 'Hourly API request limit exceeded. Please try again in the next hour.'),
  );
  await callTool(client, 'current', { place: '52.52,13.41' });
  const again = await callTool(client, 'current', { place: '10,10' });
  expect(again).toMatchObject({ isError: true, facts: { error: 'rate_limited', retryAfterMs: 14 * 60_000 } });
  expect(workspace.upstream.requests).toHaveLength(1);
  workspace.clock.time += 14 * 60_000;
  expect((await callTool(client, 'current', { place: '10,10' })).isError).toBe(false);
});

test('returns a stale answer, marked as that, when the upstream fails', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await callTool(client, 'current', { place: '52.52,13.41' });
  workspace.clock.time += 2 * 3_600_000;
  workspace.upstream.next(reason(429, 'Daily API request limit exceeded. Please try again tomorrow.'));
  const { isError, text, facts } = await callTool(client, 'current', { place: '52.52,13.41' });
  expect(isError).toBe(false);
  expect(text).toContain('STALE: 2 hours old.\nNewer data are not available: ');
  expect(facts).toMatchObject({
    stale: true,
    ageSeconds: 7_200,
    fetchedAt: '2026-11-20T13:46:00Z',
    problem: { error: 'rate_limited', retryAfterMs: (8 * 60 + 14) * 60_000 },
  });
});

test('an overloaded upstream is requested again with growing delays', async () => {
  expect(await currentWith([reason(503, 'The service is overloaded')])).toMatchObject({
    isError: false,
    asked: 2,
  });
  const down = await currentWith(
    [500, 502, 504].map((status) => reply(status, { title: 'Down', correlationId: 'c1' })),
  );
  expect(down).toMatchObject({
    isError: true,
    asked: 3,
    text: 'HOST cannot answer at the moment: "Down" (3 attempts)',
    facts: { error: 'upstream_error', status: 504, correlationId: 'c1' },
  });
  // Full jitter: each wait is somewhere between nothing and its bound.
  expect(down.waits).toHaveLength(2);
  expect(down.waits[0]).toBeLessThanOrEqual(250);
  expect(down.waits[1]).toBeLessThanOrEqual(500);
});

test('an expired grid of NWS is an error with its correlation id', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  workspace.upstream.always = problem('ForecastGridExpired');
  expect(await callTool(client, 'forecast', { place: '39.8,-89.64' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('"The requested forecast grid has expired" (3 attempts)'),
    facts: { error: 'upstream_error', status: 503, type: 'ForecastGridExpired', correlationId: '2d538018' },
  });
});

test('redirects on the same host are followed with the same User-Agent, but not for ever', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  const to = (location: string) => problem('AdjustPointPrecision', { location });
  workspace.upstream.next(to('/points/39.8,-89.64'));
  expect((await callTool(client, 'forecast', { place: '39.8,-89.64' })).isError).toBe(false);
  workspace.upstream.next(to(`${workspace.upstream.url.origin}/points/39.81,-89.64`));
  expect((await callTool(client, 'forecast', { place: '39.81,-89.64' })).isError).toBe(false);
  expect(new Set(workspace.upstream.agents)).toEqual(new Set(['weather-test']));
  workspace.upstream.always = to('/points/39.82,-89.64');
  const asked = workspace.upstream.requests.length;
  expect(await callTool(client, 'forecast', { place: '39.82,-89.64' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('redirects too often'),
  });
  expect(workspace.upstream.requests.length - asked).toBe(3);
  // Four decimals at most are asked for in the first place.
  expect(workspace.upstream.requests.filter((path) => /\.\d{5}/.test(path))).toEqual([]);
});

test('places outside of the United States are not supported by NWS', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  const london = { isError: true, facts: { error: 'not_supported' } };
  const words = 'NWS covers only the United States and its territories, not 51.5° N 0.12° W';
  expect(await callTool(client, 'forecast', { place: '51.5,-0.12' })).toMatchObject({
    ...london,
    text: words,
  });
  workspace.upstream.next(reply(200, sampleDocument('springfield-points')));
  workspace.upstream.always = problem('MarineForecastNotSupported');
  expect(await callTool(client, 'forecast', { place: '36,-75' })).toMatchObject({
    ...london,
    text: 'NWS has no forecast for open water: 36° N 75° W',
  });
  workspace.upstream.always = problem('Forbidden');
  expect(await callTool(client, 'alerts', { place: '36,-75' })).toMatchObject({
    isError: true,
    facts: { error: 'refused', status: 403 },
  });
});

test('a grid cell of NWS that was moved is looked up again', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  const place = '39.8,-89.64';
  await callTool(client, 'forecast', { place });
  workspace.clock.time += 2 * 3_600_000;
  const gone = reply(404, {
    title: 'Not Found',
    type: 'https://api.weather.gov/problems/NotFound',
    status: 404,
  });
  workspace.upstream.next(gone, gone);
  expect((await callTool(client, 'forecast', { place })).isError).toBe(false);
  expect(workspace.upstream.count('/points/')).toBe(2);
});

test('freshness is max-age less Age, limited; dates in headers are ignored', async () => {
  const askedAfter = async (headers: { [name: string]: string }, minutes: number) => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect();
    workspace.upstream.headers = headers;
    await callTool(client, 'current', { place: '52.52,13.41' });
    workspace.clock.time += minutes * 60_000;
    await callTool(client, 'current', { place: '52.52,13.41' });
    return workspace.upstream.requests.length;
  };
  expect(await askedAfter({ 'last-modified': 'Tue, 06 Oct 2099 22:00:00 GMT', expires: '0' }, 10)).toBe(1);
  expect(await askedAfter({ expires: 'Tue, 06 Oct 2099 22:00:00 GMT' }, 16)).toBe(2);
  expect(await askedAfter({ 'cache-control': 'public, max-age=1800, s-maxage=3600' }, 25)).toBe(1);
  expect(await askedAfter({ 'cache-control': 'max-age=1800', age: '1500' }, 16)).toBe(2);
  expect(await askedAfter({ 'cache-control': 'max-age=60', age: '9000' }, 10)).toBe(1);
  // An upstream cannot make the server keep an answer for a year.
  expect(await askedAfter({ 'cache-control': 'max-age=31536000' }, 61)).toBe(2);
});

test('an unsolicited 304 is an invalid reply', async () => {
  expect(await currentWith([raw('', {}, 304)])).toMatchObject({
    isError: true,
    facts: { error: 'invalid_reply', status: 304 },
  });
});

test('an old forecast of NWS is stale, without its past periods', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  workspace.clock.time += 20 * 3_600_000;
  const fresh = await callTool(client, 'forecast', { place: '39.8,-89.64', hourly: true });
  expect((fresh.facts['hours'] as { time: string[] }).time[0]).toBe('2026-11-21T03:00-06:00');
  expect(fresh.facts['days']).toMatchObject([{ date: '2026-11-21' }]);
  workspace.clock.time += 68 * 3_600_000;
  const { text, facts } = await callTool(client, 'forecast', { place: '39.9,-89.64' });
  expect(text).toContain('STALE: 4 days old.');
  expect(facts).toMatchObject({ stale: true, issuedAt: '2026-11-20T12:51:00Z' });
  expect(facts['notes']).toContain('Issued 4 days ago; the source has nothing newer');
});

test('sends one request at a time to a host of Open-Meteo, within the limits of the free API', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => callTool(client, 'current', { place: `10,${index}` })),
  );
  expect(workspace.upstream.maxConcurrent).toBe(1);
  expect(workspace.upstream.requests).toHaveLength(20);
});

test('a key is sent to the upstream only', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ apiKey: 'SECRET' });
  await callTool(client, 'current', { place: '52.52,13.41' });
  expect(workspace.upstream.requests[0]).toContain('apikey=SECRET');
  workspace.upstream.always = (request) => request.socket.destroy();
  const { text, facts } = await callTool(client, 'current', { place: '1,1' });
  expect(text + JSON.stringify(facts)).not.toContain('SECRET');
  for (const file of workspace.cached) expect(workspace.read(`cache/v1/${file}`)).not.toContain('SECRET');
});
