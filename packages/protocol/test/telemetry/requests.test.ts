import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { defineServer, defineTool, LiveList, type Tool } from '@mcp/protocol';
import { Client, ClientError, type ClientOptions, HttpChannel, SseChannel } from '@mcp/protocol/client';
import { serveHttp } from '@mcp/protocol/http';
import { openTelemetry } from '@mcp/protocol/telemetry';
import { connect } from '@mcp/protocol/testing';
import { context, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CollectedSpan } from '../../../test-kit/src/collector.ts';
import { TemporaryDirectory } from '../../../test-kit/src/temporary-directory.ts';
import { atEveryRevision } from '../every-revision.ts';
import { observedServer, secret } from './observed-server.ts';
import { Traces, treeOf } from '../../../test-kit/src/traces.ts';

const observe = openTelemetry();
let traces: Traces;
let listener: Awaited<ReturnType<typeof serveHttp>>;

beforeAll(async () => {
  traces = await Traces.start();
  listener = await serveHttp(observedServer(observe));
});

afterAll(async () => {
  await listener.close();
  await traces[Symbol.asyncDispose]();
});

const open = (options: ClientOptions) =>
  Client.connect(new HttpChannel(listener.url), { observe, ...options });

const named = (spans: readonly CollectedSpan[], kind: CollectedSpan['kind'], name: string) => {
  const found = spans.find((span) => span.kind === kind && span.name === name);
  if (!found) throw new Error(`No ${kind} span "${name}" in ${treeOf(spans).join(', ')}`);
  return found;
};

atEveryRevision((revision) => {
  const isStateless = revision === '2026-07-28';

  test('the span of a server is a child of that of the client', async () => {
    await using client = await open({ revision });
    const spans = await traces.of(8, async () => {
      await client.callTool('echo', { text: secret });
      await client.callTool('later', { text: secret });
      await client.readResource('note:///1');
      await client.getPrompt('greet');
    });
    expect(treeOf(spans)).toEqual(
      [
        ...['prompts/get greet', 'resources/read', 'tools/call echo', 'tools/call later'].flatMap((name) => [
          `internal test > client ${name}`,
          `internal test > client ${name} > server ${name}`,
        ]),
        'internal test',
      ].sort(),
    );
    expect(JSON.stringify(spans)).not.toContain(secret);
  });

  test('the attributes are those of the conventions', async () => {
    await using client = await open({ revision });
    const spans = await traces.of(4, async () => {
      await client.callTool('echo', { text: secret });
      await client.readResource('note:///1');
    });
    const common = {
      'jsonrpc.request.id': expect.stringMatching(/^\d+$/) as string,
      'mcp.protocol.version': revision,
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      ...(!isStateless && { 'mcp.session.id': expect.stringMatching(/^[\da-f-]{36}$/) as string }),
    };
    const call = {
      ...common,
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
    };
    const { hostname, port } = new URL(listener.url);
    const at = { 'server.address': hostname, 'server.port': Number(port) };
    const sent = named(spans, 'client', 'tools/call echo');
    const received = named(spans, 'server', 'tools/call echo');
    expect(sent.attributes).toEqual({ ...call, ...at });
    expect(received.attributes).toEqual(call);
    expect(received.attributes['jsonrpc.request.id']).toBe(sent.attributes['jsonrpc.request.id']);
    expect(received.attributes['mcp.session.id']).toBe(sent.attributes['mcp.session.id']);
    expect(named(spans, 'server', 'resources/read').attributes).toEqual({
      ...common,
      'mcp.method.name': 'resources/read',
      'mcp.resource.uri': 'note:///1',
    });
    expect(spans.filter(({ isError }) => isError)).toEqual([]);
  });

  test('failures have an error type and no message', async () => {
    await using client = await open({ revision });
    const fail = async (work: Promise<unknown>) => expect(work).rejects.toThrow(ClientError);
    const spans = await traces.of(8, async () => {
      expect((await client.callTool('fail')).isError).toBe(true);
      await fail(client.callTool('unknown'));
      await fail(client.readResource('note:///broken'));
      await fail(client.request(secret));
    });
    expect(
      spans
        .filter(({ kind }) => kind !== 'internal')
        .map(({ kind, attributes, isError, message }) => ({
          kind,
          method: attributes['mcp.method.name'],
          type: attributes['error.type'],
          code: attributes['rpc.response.status_code'],
          isError,
          message: message ?? '',
        })),
    ).toEqual(
      expect.arrayContaining(
        (['client', 'server'] as const).flatMap((kind) => [
          { kind, method: 'tools/call', type: 'tool_error', code: undefined, isError: true, message: '' },
          { kind, method: 'tools/call', type: '-32602', code: '-32602', isError: true, message: '' },
          { kind, method: 'resources/read', type: '-32603', code: '-32603', isError: true, message: '' },
          { kind, method: secret, type: '-32601', code: '-32601', isError: true, message: '' },
        ]),
      ),
    );
    expect(
      JSON.stringify(spans.filter(({ attributes }) => attributes['mcp.method.name'] !== secret)),
    ).not.toContain(secret);
  });

  test('a cancelled call is an error at both ends', async () => {
    await using client = await open({ revision });
    const stop = new AbortController();
    const spans = await traces.of(2, async () => {
      const options = { signal: stop.signal, onProgress: () => stop.abort(new Error('Enough')) };
      await expect(client.callTool('wait', {}, options)).rejects.toThrow('Enough');
    });
    for (const kind of ['client', 'server'] as const) {
      const { attributes, isError } = named(spans, kind, 'tools/call wait');
      expect([attributes['error.type'], isError]).toEqual(['cancelled', true]);
    }
  });

  test('a call that takes too long is a timeout for its client', async () => {
    await using client = await open({ revision });
    const spans = await traces.of(2, () =>
      expect(client.callTool('wait', {}, { timeoutMs: 300 })).rejects.toThrow('within 300 ms'),
    );
    expect(named(spans, 'client', 'tools/call wait').attributes['error.type']).toBe('timeout');
    expect(named(spans, 'server', 'tools/call wait').attributes['error.type']).toBe('cancelled');
  });

  test('a question of the server is in the trace of the call', async () => {
    await using client = await open({
      revision,
      elicit: () => Promise.resolve({ action: 'accept', content: {} }),
    });
    const call = 'internal test > client tools/call ask';
    const asked = `${call} > server tools/call ask > client elicitation/create`;
    const hasForms = revision >= '2025-06-18';
    if (!hasForms) return;
    const spans = await traces.of(4, () => client.callTool('ask'));
    expect(treeOf(spans)).toEqual(
      isStateless
        ? [
            'internal test',
            call,
            `${call} > server tools/call ask`,
            call,
            `${call} > server tools/call ask`,
          ].sort()
        : [
            'internal test',
            call,
            `${call} > server tools/call ask`,
            asked,
            `${asked} > server elicitation/create`,
          ],
    );
  });

  test('a call that a notification causes is in no earlier trace', async () => {
    const tools = new LiveList<Tool<object>>();
    const changing = await serveHttp(defineServer({ name: 'changing', version: '1.0.0', tools, observe }));
    const channel = new HttpChannel(changing.url);
    let client: Client | undefined;
    let called = () => {};
    const calling = new Promise<void>((resolve) => (called = resolve));
    const spans = await traces.of(2, async () => {
      client = await Client.connect(channel, { observe, revision });
      await client.watchList('tools', () => void client?.request('tools/list').then(called));
    });
    expect(spans.filter(({ name }) => name === 'tools/list')).toEqual([]);
    tools.add(defineTool({ name: 'new', description: 'Is new.', run: () => '' }));
    await calling;
    const lists = () =>
      traces.collector.spans.filter(
        ({ name, attributes }) =>
          name === 'tools/list' &&
          attributes['mcp.protocol.version'] === revision &&
          attributes['server.port'] === Number(new URL(changing.url).port),
      );
    await expect.poll(lists).toHaveLength(1);
    expect(lists()[0]?.parentSpanId ?? '').toBe('');
    await client?.close();
    await changing.close();
  });

  test('the handshake is observed, with the revision that it agrees on', async () => {
    const spans = await traces.of(2, async () => {
      await using client = await open({ revision });
      expect(client.revision).toBe(revision);
    });
    const name = isStateless ? 'server/discover' : 'initialize';
    for (const kind of ['client', 'server'] as const) {
      const { attributes } = named(spans, kind, name);
      expect(attributes['mcp.protocol.version']).toBe(revision);
      expect(typeof attributes['mcp.session.id']).toBe(isStateless ? 'undefined' : 'string');
    }
  });
});

test.each([
  ['ECONNREFUSED', false],
  ['418', true],
])('a handshake that fails has the error type %s', async (type, listens) => {
  const teapot = createServer((_, response) => response.writeHead(418).end('No coffee'));
  await new Promise<void>((resolve) => teapot.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(teapot.address() as AddressInfo).port}/mcp`;
  if (!listens) await new Promise((resolve) => teapot.close(resolve));
  const opening = () => Client.connect(new HttpChannel(url), { observe, revision: '2026-07-28' });
  const spans = await traces.of(1, () => expect(opening()).rejects.toThrow(ClientError));
  expect(named(spans, 'client', 'server/discover').attributes['error.type']).toBe(type);
  if (listens) await new Promise((resolve) => teapot.close(resolve));
});

test.skipIf(process.platform === 'win32')('over a Unix socket, its path is the address', async () => {
  using directory = new TemporaryDirectory('telemetry-socket');
  const socket = join(directory.root, 'observed.sock');
  const local = await serveHttp(observedServer(observe), { socketPath: socket });
  await using client = await Client.connect(new HttpChannel(local.url), { observe });
  const spans = await traces.of(2, () => client.callTool('echo', { text: '' }));
  const at = { 'network.transport': 'unix', 'network.protocol.name': 'http' };
  expect(named(spans, 'server', 'tools/call echo').attributes).toMatchObject(at);
  expect(named(spans, 'client', 'tools/call echo').attributes).toMatchObject({
    ...at,
    'server.address': socket,
  });
  await client.close();
  await local.close();
});

test('over HTTP+SSE, the headers of each request are read', async () => {
  const old = await serveHttp(observedServer(observe), { sse: { path: '/sse', postPath: '/messages' } });
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const channel = new SseChannel(new URL('/sse', old.url).href, { headers: { traceparent } });
  await using client = await Client.connect(channel, { revision: '2024-11-05' });
  await client.callTool('echo', { text: '' });
  const call = () =>
    traces.collector.spans.find(
      ({ traceId, name }) => traceId === 'a'.repeat(32) && name === 'tools/call echo',
    );
  await expect
    .poll(call)
    .toMatchObject({ parentSpanId: 'b'.repeat(16), attributes: { 'network.transport': 'tcp' } });
  await client.close();
  await old.close();
});

describe('within one process', () => {
  test('there is no transport', async () => {
    await using client = await connect(observedServer(observe), { observe });
    const spans = await traces.of(2, () => client.callTool('echo', { text: '' }));
    expect(treeOf(spans)).toHaveLength(3);
    expect(named(spans, 'server', 'tools/call echo').attributes).not.toHaveProperty('network.transport');
  });

  test('a span that a handler starts is a child of its call', async () => {
    const server = observedServer(observe);
    await using client = await connect(
      { ...server, definition: { ...server.definition, wrap: [(_, next) => inSpan('own', next)] } },
      { observe },
    );
    const spans = await traces.of(3, () => client.callTool('later', { text: '' }));
    const call = 'internal test > client tools/call later';
    expect(treeOf(spans)).toContain(`${call} > server tools/call later > internal own`);
  });
});

async function inSpan(name: string, work: () => unknown): Promise<unknown> {
  const span = trace.getTracer('test').startSpan(name);
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } finally {
    span.end();
  }
}
