import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, HttpChannel } from '@mcp/protocol/client';
import { httpHandler, serveHttp } from '@mcp/protocol/http';
import { openTelemetry } from '@mcp/protocol/telemetry';
import { connect } from '@mcp/protocol/testing';
import { context, diag, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineServer, defineTool } from '../../src/index.ts';
import { atEveryRevision } from '../every-revision.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { Traces } from '../../../test-kit/src/traces.ts';

const observe = openTelemetry();
let traces: Traces;

beforeAll(async () => {
  traces = await Traces.start();
});
afterAll(() => traces[Symbol.asyncDispose]());

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parentId}-01`;

/** Returns what it is called with: the trace and baggage that are current in the handler, and the `_meta`. */
const server = defineServer({
  name: 'current',
  version: '1.0.0',
  observe,
  tools: [
    defineTool({
      name: 'current',
      description: 'Says what is current.',
      run: (_, { meta }) => {
        const carrier: Record<string, string> = {};
        propagation.inject(context.active(), carrier);
        const { traceparent: given, tracestate, baggage } = meta;
        return JSON.stringify({ current: carrier, given: { traceparent: given, tracestate, baggage } });
      },
    }),
  ],
});

interface Seen {
  readonly current: { readonly traceparent: string; readonly tracestate?: string; readonly baggage?: string };
  readonly given: JsonObject;
}

async function seen(client: Client, meta?: JsonObject): Promise<Seen> {
  const { content } = await client.callTool('current', {}, meta ? { meta } : {});
  const [block] = content;
  return JSON.parse(block?.type === 'text' ? block.text : '') as Seen;
}

/** The span of the server that was current in its handler. */
async function spanOf({ current }: Seen) {
  const [, , spanId] = current.traceparent.split('-');
  const found = () => traces.collector.spans.find((span) => span.spanId === spanId);
  await expect.poll(found).toBeDefined();
  return found()!;
}

atEveryRevision((revision) => {
  test('a request continues the trace of its `_meta`', async () => {
    await using client = await connect(server, { revision });
    const answer = await seen(client, { traceparent, tracestate: 'a=1,b=2', baggage: 'user=alice' });
    expect(answer.current).toMatchObject({ tracestate: 'a=1,b=2', baggage: 'user=alice' });
    expect(await spanOf(answer)).toMatchObject({ traceId, parentSpanId: parentId });
  });

  test('a client sends its trace and baggage in `_meta`, also with other fields', async () => {
    await using client = await connect(server, { revision, observe });
    const baggage = propagation.createBaggage({ user: { value: 'bob' } });
    const span = trace.getTracer('test').startSpan('test', {}, ROOT_CONTEXT);
    const current = propagation.setBaggage(trace.setSpan(ROOT_CONTEXT, span), baggage);
    const { given } = await context.with(current, () => seen(client, { traceparent: 'replaced', other: 1 }));
    span.end();
    expect(given).toEqual({
      traceparent: expect.stringMatching(`^00-${span.spanContext().traceId}-[\\da-f]{16}-01$`) as string,
      baggage: 'user=bob',
    });
  });
});

test.each([
  ['another version without a trace', 'ff-00-00-00'],
  ['letters', 'hello'],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
  ['capital letters', traceparent.toUpperCase()],
  ['nothing', ''],
  ['a long text', `${traceparent}${'-1'.repeat(100_000)}`],
  ['a number', 1],
  ['an object', { toString: 'x' }],
  ['an array', [traceparent]],
  ['null', null],
])('a `traceparent` of %s is ignored', async (_, given) => {
  await using client = await connect(server);
  const meta = { traceparent: given, tracestate: 1, baggage: ['x'] };
  const span = await spanOf(await seen(client, meta));
  expect(span.traceId).not.toBe(traceId);
  expect(span.parentSpanId ?? '').toBe('');
});

describe('over HTTP', () => {
  test.each(['2026-07-28', '2025-11-25'])('the headers name the trace at %s', async (revision) => {
    const listener = await serveHttp(server);
    const headers = { traceparent, tracestate: 'a=1', baggage: 'user=alice' };
    await using client = await Client.connect(new HttpChannel(listener.url, { headers }), { revision });
    const answer = await seen(client);
    expect(answer.current).toMatchObject({ tracestate: 'a=1', baggage: 'user=alice' });
    expect(await spanOf(answer)).toMatchObject({ traceId, parentSpanId: parentId, links: [] });
    await client.close();
    await listener.close();
  });

  test('the trace of `_meta` comes before that of the headers, which is linked', async () => {
    const listener = await serveHttp(server);
    const headers = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
    await using client = await Client.connect(new HttpChannel(listener.url, { headers }));
    const answer = await seen(client, { traceparent });
    expect(await spanOf(answer)).toMatchObject({
      traceId,
      parentSpanId: parentId,
      links: ['2'.repeat(16)],
    });
    await client.close();
    await listener.close();
  });

  test('the span of another instrumentation around the request is the parent, or linked', async () => {
    const handler = httpHandler(server, { path: '/mcp' });
    const spans: string[] = [];
    const around = createServer((request, response) => {
      const span = trace.getTracer('test').startSpan('POST', {}, ROOT_CONTEXT);
      spans.push(span.spanContext().spanId);
      context.with(trace.setSpan(ROOT_CONTEXT, span), () => handler.node(request, response));
      response.once('close', () => span.end());
    });
    await new Promise<void>((resolve) => around.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(around.address() as AddressInfo).port}/mcp`;
    await using client = await Client.connect(new HttpChannel(url));
    const alone = await spanOf(await seen(client));
    expect(alone).toMatchObject({ parentSpanId: spans.at(-1), links: [] });
    const linked = await spanOf(await seen(client, { traceparent }));
    expect(linked).toMatchObject({ parentSpanId: parentId, links: [spans.at(-1)] });
    await client.close();
    await handler.close();
    await new Promise((resolve) => around.close(resolve));
  });
});

test('a trace that is not sampled is passed on and not exported', async () => {
  await using client = await connect(server, { observe });
  const unsampled = trace.setSpanContext(ROOT_CONTEXT, {
    traceId: 'f'.repeat(32),
    spanId: 'e'.repeat(16),
    traceFlags: 0,
  });
  const { given, current } = await context.with(unsampled, () => seen(client));
  expect(given['traceparent']).toMatch(/^00-f{32}-[\da-f]{16}-00$/);
  expect(current.traceparent).toMatch(/^00-f{32}-[\da-f]{16}-00$/);
  await spanOf(await seen(client));
  expect(traces.collector.spans.some((span) => span.traceId === 'f'.repeat(32))).toBe(false);
});

test.each(['startSpan', 'end'])('an SDK that throws in `%s` fails no call', async (place) => {
  const fail = () => {
    throw new Error('Broken');
  };
  const broken = trace.wrapSpanContext({ traceId, spanId: parentId, traceFlags: 1 });
  broken.end = fail;
  const messages: string[] = [];
  diag.setLogger({ error: (text) => messages.push(text), warn() {}, info() {}, debug() {}, verbose() {} });
  trace.disable();
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan: place === 'end' ? () => broken : fail, startActiveSpan: fail }),
  });
  await using client = await connect(server, { observe: openTelemetry() });
  expect(await seen(client)).toBeDefined();
  expect(messages.some((text) => text.includes('Broken'))).toBe(true);
  diag.disable();
});
