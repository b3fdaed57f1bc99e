import { defineResource, defineServer, defineTool } from '@mcp/protocol';
import { serveHttp } from '@mcp/protocol/http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpListener, ListenOptions } from '../../src/http.ts';
import { stateless } from '../requirements/wire.ts';
import { EventReader } from './events.ts';
import { HttpWire, raw } from './http-wire.ts';
import { RawSocket } from './raw-socket.ts';

const wait = defineTool({
  name: 'wait',
  description: 'Waits until it is cancelled.',
  async run(_, { progress }) {
    progress(1);
    await new Promise(() => {});
    return 'Done';
  },
});
const fail = defineTool({
  name: 'fail',
  description: 'Fails.',
  run: () => {
    throw new Error('Not today');
  },
});
const note = defineResource({ uri: 'note:///a', name: 'a', read: () => '', watch: () => () => {} });
const server = defineServer({ name: 'test', version: '1.0.0', tools: [wait, fail], resources: [note] });

async function listening(options: ListenOptions): Promise<HttpListener> {
  const listener = await serveHttp(server, options);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= listener.close());
  onTestFinished(close);
  return { ...listener, close };
}

const at = (listener: HttpListener, path: string) => new URL(path, listener.url);
const probe = async (listener: HttpListener, path: string, init?: RequestInit) => {
  const response = await fetch(at(listener, path), init);
  return [response.status, await response.text()];
};

describe('probes', () => {
  test('are answered to everybody, with a status alone', async () => {
    const listener = await listening({ health: true, token: 'secret' });
    expect(await probe(listener, '/healthz')).toEqual([200, 'ok\n']);
    expect(await probe(listener, '/readyz?verbose')).toEqual([200, 'ok\n']);
    expect(await probe(listener, '/readyz', { method: 'HEAD' })).toEqual([200, '']);
    const { headers } = await fetch(at(listener, '/healthz'), { method: 'HEAD' });
    expect(headers.get('content-length')).toBe('3');
    expect(await probe(listener, '/healthz', { method: 'POST', body: 'x' })).toEqual([405, '']);
    expect((await fetch(listener.url)).status).toBe(401);
    // An orchestrator names the address of the container.
    const foreign = { method: 'GET', headers: ['host', '10.0.0.7'] };
    expect((await raw(at(listener, '/healthz').href, foreign)).status).toBe(200);
  });

  test('are not answered unless asked for', async () => {
    const listener = await listening({});
    expect((await fetch(at(listener, '/healthz'))).status).toBe(404);
  });
});

describe('metrics', () => {
  const read = async ({ metricsUrl }: HttpListener) => (await fetch(metricsUrl!)).text();
  /** The lines of a text without those whose values change from run to run. */
  const linesOf = (text: string, ...names: string[]) =>
    text.split('\n').filter((line) => names.some((name) => line.startsWith(name)));

  test('count requests by method and outcome, their durations, and what is open', async () => {
    const listener = await listening({ metrics: { port: 0 } });
    const wire = HttpWire.to(listener, stateless);
    const cancelled = new AbortController();
    const waiting = wire.send(
      wire.request('tools/call', { name: 'wait', arguments: {} }, { progressToken: 1 }),
      {},
      cancelled.signal,
    );
    await (await wire.call('fail')).text();
    await (await wire.ask('tools/list')).text();
    await (await wire.ask('prompts/get', { name: 'none' })).text();
    await waiting;
    cancelled.abort();
    const listen = { notifications: { resourceSubscriptions: ['note:///a'] } };
    const subscribed = new EventReader(await wire.ask('subscriptions/listen', listen));
    await subscribed.next();
    const old = HttpWire.to(listener, '2025-06-18');
    await old.handshake();
    await (await old.ask('resources/subscribe', { uri: 'note:///a' })).text();
    const counted = async () => linesOf(await read(listener), 'mcp_requests_total', 'mcp_s').toSorted();
    await expect
      .poll(counted)
      .toEqual(
        [
          'mcp_requests_total{method="tools/call",outcome="cancelled"} 1',
          'mcp_requests_total{method="tools/call",outcome="tool_error"} 1',
          'mcp_requests_total{method="tools/list",outcome="ok"} 1',
          'mcp_requests_total{method="prompts/get",outcome="error"} 1',
          'mcp_requests_total{method="initialize",outcome="ok"} 1',
          'mcp_requests_total{method="resources/subscribe",outcome="ok"} 1',
          'mcp_sessions 1',
          'mcp_streams 1',
          'mcp_subscriptions 2',
        ].toSorted(),
      );
    const text = await read(listener);
    expect(linesOf(text, 'mcp_request_duration_seconds_bucket{method="tools/list"').at(-1)).toMatch(
      /le="\+Inf"} 1$/,
    );
    expect(linesOf(text, 'mcp_http_responses_total{code="200"}')).toHaveLength(1);
    expect(linesOf(text, 'process_resident_memory_bytes')[0]).toMatch(/ \d{7,}$/);
    await subscribed.close();
    await expect.poll(counted).toContain('mcp_streams 0');
  });

  test('are text that Prometheus reads', async () => {
    const listener = await listening({ metrics: { port: 0 } });
    const wire = HttpWire.to(listener, stateless);
    await (await wire.ask('tools/list')).text();
    const response = await fetch(listener.metricsUrl!);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    expect(text.endsWith('\n')).toBe(true);
    const families = new Set<string>();
    for (const line of text.trimEnd().split('\n')) {
      const [, family] = /^# (?:HELP|TYPE) ([a-z_]+) (?:counter|gauge|histogram|[A-Z].*\.)$/.exec(line) ?? [];
      const [, name = ''] =
        /^([a-z_]+)(?:\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})? [\d.e+-]+$/.exec(line) ?? [];
      if (family !== undefined) families.add(family);
      else expect(families).toContain(name.replace(/_(?:bucket|sum|count)$/, ''));
    }
  });

  test('have no labels from clients', async () => {
    const listener = await listening({ metrics: { port: 0 } });
    for (const version of [stateless, '2025-06-18']) {
      const wire = HttpWire.to(listener, version);
      if (version !== stateless) await wire.handshake();
      for (const name of ['evil"} 1\n', 'x'.repeat(10_000), '__proto__', 'constructor'])
        for (let count = 0; count < 3; count++) {
          await (await wire.ask(encodeURIComponent(name) + count)).text();
          await (
            await wire.ask('tools/call', { name: `${encodeURIComponent(name)}${count}`, arguments: {} })
          ).text();
        }
    }
    const text = await read(listener);
    expect(linesOf(text, 'mcp_requests_total').toSorted()).toEqual([
      'mcp_requests_total{method="initialize",outcome="ok"} 1',
      'mcp_requests_total{method="other",outcome="error"} 24',
      'mcp_requests_total{method="tools/call",outcome="error"} 24',
    ]);
    expect(text).not.toContain('evil');
  });

  test('are read at their path alone, and not by web pages', async () => {
    const listener = await listening({ metrics: { port: 0 } });
    expect((await fetch(new URL('/', listener.metricsUrl))).status).toBe(404);
    expect((await fetch(listener.metricsUrl!, { method: 'POST' })).status).toBe(405);
    expect((await fetch(listener.metricsUrl!, { headers: { origin: 'https://evil.example' } })).status).toBe(
      403,
    );
    const foreign = { method: 'GET', headers: ['host', 'evil.example'] };
    expect((await raw(listener.metricsUrl!, foreign)).status).toBe(403);
    expect((await fetch(at(listener, '/metrics'))).status).toBe(404);
    await listener.close();
    await expect(fetch(listener.metricsUrl!)).rejects.toThrow();
  });

  test('do not wait for a client that does not send its request', async () => {
    const { metricsUrl } = await listening({ metrics: { port: 0 }, timeouts: { headersMs: 50 } });
    const slow = await RawSocket.open(metricsUrl!);
    slow.write('GET /metrics HTTP/1.1\r\nhost: 127.0.0.1\r\n');
    expect(await slow.closed()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('at an address in use are an error, and nothing listens', async () => {
    const { metricsUrl } = await listening({ metrics: { port: 0 } });
    const port = Number(new URL(metricsUrl!).port);
    await expect(serveHttp(server, { metrics: { port } })).rejects.toThrow('the port is already in use');
    const other = await listening({ metrics: { port: 0 } });
    const taken = Number(new URL(other.url).port);
    await expect(serveHttp(server, { port: taken, metrics: { port: 0 } })).rejects.toThrow('already in use');
  });
});
