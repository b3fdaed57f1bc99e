import fc from 'fast-check';
import { expect, test } from 'vitest';
import { times } from './generated.ts';
import { httpHandler } from '../../src/http.ts';
import { decodeHeaderValue, encodeHeaderValue } from '../../src/http/wire/header-value.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { misbehavingServer } from '../fixtures/misbehaving-server.ts';
import { EventReader } from '../http/events.ts';
import { basics, headersOf } from '../http/http-wire.ts';
import { call, cancel, initialize, modern, notification, request } from './messages.ts';

const names = ['echo', 'echo_later', 'keys', 'reflect', 'throw', 'return_later', 'structured', 'unknown'];
const methods = [
  'ping',
  'tools/list',
  'server/discover',
  'resources/read',
  'prompts/get',
  'initialize',
  'no/such',
];
const id = fc.oneof(fc.nat({ max: 50 }), fc.constantFrom('a', '__proto__'));
const name = fc.constantFrom(...names);
const args = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });

const message: fc.Arbitrary<JsonObject> = fc.oneof(
  fc
    .tuple(id, name, args)
    .map(([own, tool, each]) => modern(own, 'tools/call', { name: tool, arguments: each })),
  fc.tuple(id, name, args).map(([own, tool, each]) => call(own, tool, each)),
  fc.tuple(id, fc.constantFrom(...methods)).map(([own, method]) => modern(own, method)),
  fc
    .tuple(id, fc.constantFrom(...methods), fc.jsonValue())
    .map(([own, method, params]) => request(own, method, params)),
  fc.constantFrom('2024-11-05', '2025-06-18', '2099-01-01').map((version) => initialize(version)),
  id.map(cancel),
  fc.jsonValue().map((params) => notification('notifications/unheard_of', params)),
  fc.jsonValue().map((result) => ({ jsonrpc: '2.0', id: 1, result })),
);

const body = fc.oneof(
  { weight: 5, arbitrary: message.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }).map((all) => JSON.stringify(all)) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
const odd = fc.dictionary(
  fc.constantFrom(
    'mcp-method',
    'mcp-name',
    'mcp-protocol-version',
    'mcp-session-id',
    'last-event-id',
    'accept',
    'content-type',
    'origin',
    'authorization',
  ),
  fc.oneof(
    visible,
    fc.constantFrom(
      '2025-03-26',
      '2026-07-28',
      'tools/call',
      '=?base64?eA==?=',
      'application/json',
      'http://localhost',
    ),
  ),
  { maxKeys: 3 },
);

const known = new Set([200, 202, 204, 400, 403, 404, 405, 406, 413, 415]);

test('any generated request gets a valid answer, and the next request is served', async () => {
  const warnings: string[] = [];
  const handler = httpHandler(misbehavingServer(), { onWarning: (text) => void warnings.push(text) });
  const send = (init: RequestInit) => handler.fetch(new Request('http://localhost/mcp', init));
  const sessions: string[] = [];
  for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
    const init = { method: 'POST', headers: basics, body: JSON.stringify(initialize(version)) };
    sessions.push((await send(init)).headers.get('mcp-session-id')!);
  }
  await fc.assert(
    fc.asyncProperty(
      body,
      odd,
      fc.integer({ min: 0, max: 4 }),
      fc.boolean(),
      async (text, more, place, named) => {
        const session = sessions[place];
        const headers: { [name: string]: string } = {
          ...basics,
          ...(session && { 'mcp-session-id': session }),
        };
        if (!session) Object.assign(headers, headersFor(text));
        if (named) Object.assign(headers, more);
        const response = await send({ method: 'POST', headers, body: text });
        expect(known).toContain(response.status);
        await read(response);
      },
    ),
    { numRuns: 2_000 * times },
  );
  const last = modern(1, 'tools/call', { name: 'echo', arguments: { text: 'served' } });
  const response = await send({ method: 'POST', headers: headersOf(last), body: JSON.stringify(last) });
  expect(await response.json()).toMatchObject({ result: { content: [{ text: 'served' }] } });
  // Failures of handlers cause warnings; failures of the endpoint would too.
  expect(warnings.filter((warning) => warning.startsWith('POST'))).toEqual([]);
  await handler.close();
});

function headersFor(text: string): { readonly [name: string]: string } {
  try {
    return headersOf(JSON.parse(text) as JsonObject);
  } catch {
    return {};
  }
}

/** All of a response: nothing, JSON, or events that hold JSON. */
async function read(response: Response): Promise<void> {
  if (response.headers.get('content-type') === 'text/event-stream') {
    for (const { data } of await new EventReader(response).rest()) if (data) JSON.parse(data);
    return;
  }
  const text = await response.text();
  if (text !== '') JSON.parse(text);
}

test('every value survives its encoding as a header', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string().map((text) => `=?base64?${text}?=`),
      ),
      (value) => {
        const encoded = encodeHeaderValue(value);
        expect(encoded).toMatch(/^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/);
        expect(decodeHeaderValue(encoded)).toBe(value);
      },
    ),
  );
});
