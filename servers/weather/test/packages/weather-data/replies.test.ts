import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Behaviour, raw } from '../../upstream.ts';
import { currentWith } from './current-with.ts';
import { sampleDocument } from '../../sample-document.ts';
import { callTool, Workspace } from '../../workspace.ts';

const berlin = JSON.stringify(sampleDocument('berlin-current'));

const html = '<html><body>502 Bad Gateway</body></html>';

test('an HTML page is an invalid reply, whatever its content type', async () => {
  expect(await currentWith([raw(html, { 'content-type': 'text/html; charset=utf-8' })])).toMatchObject({
    isError: true,
    text: 'HOST answered with text/html; charset=utf-8 instead of JSON. A proxy or a login page may have intercepted the request',
    facts: { error: 'invalid_reply' },
    asked: 1,
  });
  expect(await currentWith([raw(html)])).toMatchObject({
    isError: true,
    text: 'HOST answered with invalid JSON',
    facts: { error: 'invalid_reply' },
  });
});

test('a redirect to another host or scheme is refused', async () => {
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

test('an error at the end of a reply invalidates all of it', async () => {
  const body = `${berlin.slice(0, 900)}Unexpected error while streaming data: timeoutReached`;
  for (const text of [body, `${berlin}Unexpected error while streaming data: timeoutReached`]) {
    expect(await currentWith([raw(text)])).toMatchObject({
      isError: true,
      text: 'HOST failed while sending its answer: timeoutReached',
      facts: { error: 'invalid_reply' },
    });
  }
});

test('a truncated document is an invalid reply', async () => {
  expect(await currentWith([raw(berlin.slice(0, 700))])).toMatchObject({
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
])('a reply %s is requested again', async (_, behaviour) => {
  const once = await currentWith([behaviour]);
  expect(once).toMatchObject({ isError: false, asked: 2, facts: { stale: false } });
  const always = await currentWith([behaviour, behaviour, behaviour]);
  expect(always).toMatchObject({ isError: true, asked: 3, facts: { error: 'unreachable' } });
  expect(always.text).toMatch(
    /^Cannot reach HOST: .* Without a network, use the provider dataset or the demo \(3 attempts\)$/,
  );
});

test('a reply that never ends, or arrives byte by byte, times out', async () => {
  const endless: Behaviour = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  };
  expect(await currentWith([endless], { limits: { attemptTimeoutMs: 150 } })).toMatchObject({
    isError: false,
    asked: 2,
  });
  expect(await currentWith([endless, endless, endless], { limits: { attemptTimeoutMs: 100 } })).toMatchObject(
    {
      isError: true,
      asked: 3,
      text: 'HOST did not answer within 0.1 seconds. Without a network, use the provider dataset or the demo (3 attempts)',
      facts: { error: 'timed_out' },
    },
  );
});

test('reports refused connections, unknown hosts, silent hosts and missing TLS', async () => {
  await using workspace = await Workspace.create();
  // Only the silent host needs the end of an attempt: the others have time to fail, also on a busy machine.
  const failureOf = async (url: string, attemptTimeoutMs = 5_000) => {
    await using client = await workspace.connect({
      baseUrls: { 'open-meteo': new URL(url) },
      limits: { attemptTimeoutMs, maxAttempts: 2 },
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
  expect(await failureOf(`http://127.0.0.1:${port}`, 200)).toEqual([
    'timed_out',
    `127.0.0.1:${port} did not answer within 0.2 seconds. Without a network, use the provider dataset or the demo (2 attempts)`,
  ]);
  for (const socket of sockets) socket.destroy();
  silent.close();
  await once(silent, 'close');
  expect(await failureOf(`http://127.0.0.1:${port}`)).toEqual([
    'unreachable',
    `Cannot reach 127.0.0.1:${port}: connection refused. Without a network, use the provider dataset or the demo (2 attempts)`,
  ]);
  const [kind, words] = await failureOf('http://no-such-host.invalid');
  expect(['unreachable', 'timed_out']).toContain(kind);
  expect(words).toContain('no-such-host.invalid');
  const [tls] = await failureOf(`https://${workspace.upstream.url.host}`);
  expect(tls).toBe('unreachable');
});

test('a cancelled call ends its request', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({
    limits: { attemptTimeoutMs: 20_000, totalTimeoutMs: 60_000 },
  });
  const closed = Promise.withResolvers<void>();
  workspace.upstream.next((_, response) => response.once('close', closed.resolve));
  const notify = workspace.upstream.nextRequest();
  const stop = new AbortController();
  const call = client.callTool('current', { place: '52.52,13.41' }, { signal: stop.signal });
  await notify;
  stop.abort();
  await expect(call).rejects.toThrow();
  await closed.promise;
  expect((await callTool(client, 'current', { place: '52.52,13.41' })).isError).toBe(false);
});

test('large and compressed replies are refused after 5 MiB, decompressed', async () => {
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
  const answer = await currentWith([large]);
  expect(answer).toMatchObject({ ...tooLarge, text: 'The reply of HOST is larger than 5242880 bytes' });
  expect(sent).toBeLessThan(50 * 1024 * 1024);
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '), { level: 9 });
  expect(bomb.length).toBeLessThan(250 * 1024);
  expect(await currentWith([raw(bomb, { 'content-encoding': 'gzip' })])).toMatchObject(tooLarge);
});

test('long lists and deep nesting are invalid replies', async () => {
  const long = JSON.stringify({ hourly: { time: Array.from({ length: 1_000_000 }, () => 1) } });
  await using workspace = await Workspace.create();
  await using client = await workspace.connect();
  workspace.upstream.next(raw(long));
  expect(await callTool(client, 'forecast', { place: '52.52,13.41' })).toMatchObject({
    isError: true,
    text: 'The hourly values of Open-Meteo have 1000000 times; expected at most 8880',
    facts: { error: 'invalid_reply' },
  });
  const depth = 1_000_000;
  const deep = `{"latitude":1,"longitude":2,"nest":${'['.repeat(depth)}${']'.repeat(depth)},${berlin.slice(1)}`;
  workspace.upstream.next(raw(deep));
  expect((await callTool(client, 'current', { place: '52.52,13.41' })).isError).toBe(false);
  // The deep reply was also cached: another server reads it from the cache.
  await using second = await workspace.connect();
  expect((await callTool(second, 'current', { place: '52.52,13.41' })).isError).toBe(false);
  expect(workspace.upstream.count('/v1/forecast')).toBe(2);
});

test('accepts a byte order mark, Latin-1 and odd keys; NaN is not JSON', async () => {
  const good = { isError: false, facts: { current: { temperatureC: 5.7, windSpeedKmh: 13.3 } } };
  expect(await currentWith([raw(`\ufeff${berlin}`)])).toMatchObject(good);
  expect(await currentWith([raw(Buffer.from(berlin.replaceAll('μ', 'u'), 'latin1'))])).toMatchObject(good);
  expect(
    await currentWith([raw(berlin.replace('"temperature_2m":5.7', '"temperature_2m":NaN'))]),
  ).toMatchObject({
    isError: true,
    facts: { error: 'invalid_reply' },
  });
  const odd = `{"__proto__":{"current":1},"constructor":{"prototype":{"x":1}},${berlin.slice(1)}`;
  expect(await currentWith([raw(odd)])).toMatchObject(good);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  const twice = berlin.replace('"temperature_2m":5.7', '"temperature_2m":99,"temperature_2m":5.7');
  expect(await currentWith([raw(twice)])).toMatchObject(good);
});
