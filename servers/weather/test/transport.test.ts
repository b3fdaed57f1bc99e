import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Behaviour, problem, raw, reason, reply } from './upstream.ts';
import { started, callTool, Workspace, type WorkspaceOptions } from './workspace.ts';

const berlin = readFileSync(
  new URL('../src/backend/providers/dataset/sample/berlin-current.json', import.meta.url),
  'utf8',
).trim();

const html = '<html><body>502 Bad Gateway</body></html>';

/** What is told when the upstream does this, and how often it was asked. */
async function when(behaviours: readonly Behaviour[], options: WorkspaceOptions = {}) {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect(options);
  workspace.upstream.next(...behaviours);
  const told = await callTool(client, 'current', { place: '52.52,13.41' });
  return {
    ...told,
    text: told.text.replaceAll(workspace.upstream.url.host, 'HOST'),
    asked: workspace.upstream.requests.length,
    waits: workspace.clock.waits,
  };
}

test('W15 a page instead of JSON is an invalid reply, whatever it is called', async () => {
  expect(await when([raw(html, { 'content-type': 'text/html; charset=utf-8' })])).toMatchObject({
    isError: true,
    text: 'HOST answered with text/html; charset=utf-8 instead of JSON. A proxy or a login page may have intercepted the request',
    facts: { error: 'invalid_reply' },
    asked: 1,
  });
  expect(await when([raw(html)])).toMatchObject({
    isError: true,
    text: 'HOST answered with invalid JSON',
    facts: { error: 'invalid_reply' },
  });
});

test('W15 W20 a redirect to another host or scheme is refused, and not followed', async () => {
  for (const location of [
    'http://169.254.169.254/latest/meta-data',
    'https://HOST/login',
    'http://localhost:1/',
    '//evil.example/',
  ]) {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect();
    workspace.upstream.next(
      raw('', { location: location.replace('HOST', workspace.upstream.url.host) }, 302),
    );
    const { isError, text, facts } = await callTool(client, 'current', { place: '52.52,13.41' });
    expect(isError).toBe(true);
    expect(text).toContain('redirects to another host');
    expect(facts['error']).toBe('invalid_reply');
  }
});

test('W16 a failure in the middle of a good reply is a failure of all of it', async () => {
  const body = `${berlin.slice(0, 900)}Unexpected error while streaming data: timeoutReached`;
  for (const text of [body, `${berlin}Unexpected error while streaming data: timeoutReached`]) {
    expect(await when([raw(text)])).toMatchObject({
      isError: true,
      text: 'HOST failed while sending its answer: timeoutReached',
      facts: { error: 'invalid_reply' },
    });
  }
});

test('W17 half a document is no document', async () => {
  expect(await when([raw(berlin.slice(0, 700))])).toMatchObject({
    isError: true,
    text: 'HOST answered with invalid JSON',
  });
});

test.each<[string, Behaviour]>([
  [
    'that is shorter than it says',
    (_, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': String(berlin.length + 10),
      });
      response.end(berlin, () => response.socket?.destroy());
    },
  ],
  [
    'that is reset in the middle',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(berlin.slice(0, 500), () => response.socket?.resetAndDestroy());
    },
  ],
  ['that never comes', (request) => request.socket.destroy()],
])('W17 a reply %s is asked for again', async (_, behaviour) => {
  const once = await when([behaviour]);
  expect(once).toMatchObject({ isError: false, asked: 2, facts: { stale: false } });
  const always = await when([behaviour, behaviour, behaviour]);
  expect(always).toMatchObject({ isError: true, asked: 3, facts: { error: 'unreachable' } });
  expect(always.text).toMatch(
    /^Cannot reach HOST: .* Without a network, use --provider dataset or --demo \(3 attempts\)$/,
  );
});

test('W17 W22 a reply that never ends, or comes byte by byte, has its time', async () => {
  const endless: Behaviour = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  };
  expect(await when([endless], { limits: { attemptTimeoutMs: 150 } })).toMatchObject({
    isError: false,
    asked: 2,
  });
  expect(await when([endless, endless, endless], { limits: { attemptTimeoutMs: 100 } })).toMatchObject({
    isError: true,
    asked: 3,
    text: 'HOST did not answer within 0.1 seconds. Without a network, use --provider dataset or --demo (3 attempts)',
    facts: { error: 'timed_out' },
  });
});

test('W18 Retry-After in seconds and as a date is obeyed within the time there is', async () => {
  const seconds = reason(429, 'Too many requests', { 'retry-after': '7' });
  expect(await when([seconds])).toMatchObject({ isError: false, asked: 2, waits: [7_000] });
  const date = reason(429, 'Too many requests', { 'retry-after': new Date(started + 5_000).toUTCString() });
  expect(await when([date])).toMatchObject({ isError: false, asked: 2, waits: [5_000] });
  expect(await when([seconds, seconds, seconds])).toMatchObject({
    isError: true,
    asked: 3,
    facts: { error: 'rate_limited', retryAfterMs: 7_000 },
  });
  expect(await when([reason(429, 'Too many requests', { 'retry-after': '70' })])).toMatchObject({
    isError: true,
    asked: 1,
    text: 'HOST accepts no more requests for now: "Too many requests". Try again in 70 seconds',
    facts: { error: 'rate_limited', retryAfterMs: 70_000, reason: 'Too many requests' },
  });
});

test.each([
  // The clock stands at 13:46:00 UTC.
  ['Minutely API request limit exceeded. Please try again in one minute.', 60_000],
  ['Hourly API request limit exceeded. Please try again in the next hour.', 14 * 60_000],
  ['Daily API request limit exceeded. Please try again tomorrow.', (10 * 60 + 14) * 60_000],
])('W18 without Retry-After the words say how long: %s', async (words, retryAfterMs) => {
  expect(await when([reason(429, words)])).toMatchObject({
    isError: true,
    asked: 1,
    facts: { error: 'rate_limited', retryAfterMs, reason: words },
  });
});

test('W18 too many at once is over in a second; who was told to wait is not asked before', async () => {
  expect(await when([reason(429, 'Too many concurrent requests')])).toMatchObject({
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

test('W18 a stale answer is better than none, and says what it is', async () => {
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

test('W19 an upstream that is overloaded is asked again, with patience', async () => {
  expect(await when([reason(503, 'The service is overloaded')])).toMatchObject({ isError: false, asked: 2 });
  const down = await when(
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

test('W19 NWS: a grid that has expired, with the id to tell them', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  workspace.upstream.always = problem('ForecastGridExpired');
  expect(await callTool(client, 'forecast', { place: '39.8,-89.64' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('"The requested forecast grid has expired" (3 attempts)'),
    facts: { error: 'upstream_error', status: 503, type: 'ForecastGridExpired', correlationId: '2d538018' },
  });
});

test('W20 NWS sends elsewhere on the same host: followed, with the same name; in circles: not', async () => {
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

test('W21 NWS knows the United States: what it says of other places is told in our words', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ provider: 'nws' });
  const london = { isError: true, facts: { error: 'not_supported' } };
  const words = 'NWS covers only the United States and its territories, not 51.5° N 0.12° W';
  expect(await callTool(client, 'forecast', { place: '51.5,-0.12' })).toMatchObject({
    ...london,
    text: words,
  });
  expect(await callTool(client, 'alerts', { place: '51.5,-0.12' })).toMatchObject({
    ...london,
    text: words,
  });
  workspace.upstream.next(
    reply(
      200,
      JSON.parse(
        readFileSync(
          new URL('../src/backend/providers/dataset/sample/springfield-points.json', import.meta.url),
          'utf8',
        ),
      ),
    ),
  );
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

test('W21 a grid that was moved is looked for once more', async () => {
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

test('W22 nobody there: refused, no such host, a host that never says a word, no TLS', async () => {
  await using workspace = await Workspace.create();
  const told = async (url: string) => {
    await using client = await workspace.connect({
      baseUrls: { 'open-meteo': new URL(url) },
      limits: { attemptTimeoutMs: 200, maxAttempts: 2 },
    });
    const { text, facts, isError } = await callTool(client, 'current', { place: '52.52,13.41' });
    expect(isError).toBe(true);
    return [facts['error'], text];
  };
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  expect(await told(`http://127.0.0.1:${port}`)).toEqual([
    'timed_out',
    `127.0.0.1:${port} did not answer within 0.2 seconds. Without a network, use --provider dataset or --demo (2 attempts)`,
  ]);
  for (const socket of sockets) socket.destroy();
  silent.close();
  await once(silent, 'close');
  expect(await told(`http://127.0.0.1:${port}`)).toEqual([
    'unreachable',
    `Cannot reach 127.0.0.1:${port}: connection refused. Without a network, use --provider dataset or --demo (2 attempts)`,
  ]);
  const [kind, words] = await told('http://no-such-host.invalid');
  expect(['unreachable', 'timed_out']).toContain(kind);
  expect(words).toContain('no-such-host.invalid');
  const [tls] = await told(`https://${workspace.upstream.url.host}`);
  expect(tls).toBe('unreachable');
});

test('W22 an answer that nobody waits for any more is not waited for', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({
    limits: { attemptTimeoutMs: 20_000, totalTimeoutMs: 60_000 },
  });
  const closed = Promise.withResolvers<void>();
  workspace.upstream.next((_, response) => response.once('close', closed.resolve));
  const heard = workspace.upstream.heard();
  const stop = new AbortController();
  const call = client.callTool('current', { place: '52.52,13.41' }, { signal: stop.signal });
  await heard;
  stop.abort();
  await expect(call).rejects.toThrow();
  await closed.promise;
  expect((await callTool(client, 'current', { place: '52.52,13.41' })).isError).toBe(false);
});

test('W23 large and swollen replies end at 5 MiB, decompressed', async () => {
  let sent = 0;
  const large: Behaviour = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const more = () => {
      while (sent < 200 * 1024 * 1024 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  };
  const tooLarge = { isError: true, asked: 1, facts: { error: 'invalid_reply' } };
  const told = await when([large]);
  expect(told).toMatchObject({ ...tooLarge, text: 'The reply of HOST is larger than 5242880 bytes' });
  expect(sent).toBeLessThan(50 * 1024 * 1024);
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '), { level: 9 });
  expect(bomb.length).toBeLessThan(250 * 1024);
  expect(await when([raw(bomb, { 'content-encoding': 'gzip' })])).toMatchObject(tooLarge);
});

test('W23 long lists and deep nests are only documents that are wrong', async () => {
  const long = JSON.stringify({ hourly: { time: Array.from({ length: 1_000_000 }, () => 1) } });
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.next(raw(long));
  expect(await callTool(client, 'forecast', { place: '52.52,13.41' })).toMatchObject({
    isError: true,
    text: 'The hourly values have 1000000 times',
    facts: { error: 'invalid_reply' },
  });
  const depth = 1_000_000;
  const deep = `{"latitude":1,"longitude":2,"nest":${'['.repeat(depth)}${']'.repeat(depth)},${berlin.slice(1)}`;
  workspace.upstream.next(raw(deep));
  expect((await callTool(client, 'current', { place: '52.52,13.41' })).isError).toBe(false);
  // It is also kept and read again.
  await using second = await workspace.connect();
  expect((await callTool(second, 'current', { place: '52.52,13.41' })).isError).toBe(false);
  expect(workspace.upstream.count('/v1/forecast')).toBe(2);
});

test('W24 a byte order mark and Latin-1 are understood; NaN is not JSON; odd keys are only keys', async () => {
  const good = { isError: false, facts: { current: { temperatureC: 5.7, windSpeedKmh: 13.3 } } };
  expect(await when([raw(`\ufeff${berlin}`)])).toMatchObject(good);
  expect(await when([raw(Buffer.from(berlin.replaceAll('μ', 'u'), 'latin1'))])).toMatchObject(good);
  expect(await when([raw(berlin.replace('"temperature_2m":5.7', '"temperature_2m":NaN'))])).toMatchObject({
    isError: true,
    facts: { error: 'invalid_reply' },
  });
  const odd = `{"__proto__":{"current":1},"constructor":{"prototype":{"x":1}},${berlin.slice(1)}`;
  expect(await when([raw(odd)])).toMatchObject(good);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  const twice = berlin.replace('"temperature_2m":5.7', '"temperature_2m":99,"temperature_2m":5.7');
  expect(await when([raw(twice)])).toMatchObject(good);
});

test('W25 dates in headers are not believed: freshness is max-age less Age, within bounds', async () => {
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
  // Nobody can have us keep something for a year.
  expect(await askedAfter({ 'cache-control': 'max-age=31536000' }, 61)).toBe(2);
});

test('W25 "not modified" without having asked for that is an invalid reply', async () => {
  expect(await when([raw('', {}, 304)])).toMatchObject({
    isError: true,
    facts: { error: 'invalid_reply', status: 304 },
  });
});

test('W26 a forecast of NWS that is days old says so, and what is over is left out', async () => {
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

test('one request at a time for a host of Open-Meteo, and the limits of the free API are kept', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => callTool(client, 'current', { place: `10,${index}` })),
  );
  expect(workspace.upstream.mostAtOnce).toBe(1);
  expect(workspace.upstream.requests).toHaveLength(20);
});

test('a key goes to the upstream and nowhere else', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ apiKey: 'SECRET' });
  await callTool(client, 'current', { place: '52.52,13.41' });
  expect(workspace.upstream.requests[0]).toContain('apikey=SECRET');
  workspace.upstream.always = (request) => request.socket.destroy();
  const { text, facts } = await callTool(client, 'current', { place: '1,1' });
  expect(text + JSON.stringify(facts)).not.toContain('SECRET');
  for (const file of workspace.cached) expect(workspace.read(`cache/v1/${file}`)).not.toContain('SECRET');
});
