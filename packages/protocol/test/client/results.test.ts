import type { Client } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { connectTo, newest, ScriptedPeer, text, tool } from './scripted-peer.ts';

const contents = [{ uri: 'x:///', text: '' }];
const sizes = [{ src: 'https://example.com/i.png', sizes: '48x48' }];

test.each<[method: string, result: JsonObject, message: string, call: (client: Client) => Promise<unknown>]>([
  [
    'resources/read',
    { contents, ttlMs: '1' },
    '"ttlMs" must be a number',
    (client) => client.readResource('x:///'),
  ],
  [
    'resources/read',
    { contents, cacheScope: 'mine' },
    '"cacheScope" must be one of',
    (client) => client.readResource('x:///'),
  ],
  [
    'prompts/get',
    { messages: [], _meta: 'x' },
    '"_meta" must be an object',
    (client) => client.getPrompt('any'),
  ],
  [
    'tools/list',
    { tools: [{ ...tool, icons: sizes }] },
    '"tools.0.icons.0.sizes" must be a list',
    (client) => client.listTools(),
  ],
])('%s does not return %j', async (method, result, message, call) => {
  const peer = new ScriptedPeer(newest, { [method]: () => ({ result }) });
  await using client = await connectTo(peer, newest);
  await expect(call(client)).rejects.toMatchObject({
    phase: 'call',
    message: expect.stringContaining(message),
  });
});

test.each<[sent: JsonObject, shown: JsonObject | undefined]>([
  [{ name: 's' }, { name: 's', version: '' }],
  [{ name: 's', version: 7 }, undefined],
  [{ name: 's', version: '1', websiteUrl: {} }, undefined],
])('the server information %j is checked', async (sent, shown) => {
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: sent };
  const peer = new ScriptedPeer('2025-11-25', { initialize: () => ({ result }) });
  await using client = await connectTo(peer, '2025-11-25');
  expect(client.serverInfo).toEqual(shown);
  expect(await client.callTool('any')).toEqual(text('done'));
});

test('a list has a bounded size over all of its pages', async () => {
  let pages = 0;
  const description = 'x'.repeat(4 * 1024 * 1024);
  const peer = new ScriptedPeer(newest, {
    'tools/list': () => ({ result: { tools: [{ ...tool, description }], nextCursor: `page ${++pages}` } }),
  });
  await using client = await connectTo(peer, newest);
  await expect(client.listTools()).rejects.toThrow('a list may have at most 67108864 characters');
  expect(pages).toBe(16);
});

test('structured content is validated against the schema that the server has now', async () => {
  let type = 'string';
  const peer = new ScriptedPeer('2025-11-25', {
    'tools/list': () => ({ result: { tools: [{ ...tool, outputSchema: { properties: { n: { type } } } }] } }),
    'tools/call': () => ({ result: { ...text('t'), structuredContent: { n: 1 } } }),
  });
  await using client = await connectTo(peer, '2025-11-25');
  await client.listTools();
  await expect(client.callTool('any')).rejects.toMatchObject({
    phase: 'call',
    message: expect.stringContaining('/n must be of type string'),
  });
  type = 'integer';
  await peer.crash();
  expect(await client.callTool('any')).toMatchObject({ structuredContent: { n: 1 } });
});

const draft7 = 'http://json-schema.org/draft-07/schema#';

test.each([
  ['http://json-schema.org/draft-04/schema#', { minimum: 0, exclusiveMinimum: true }],
  ['urn:unknown-dialect', {}],
  [5, {}],
])('an outputSchema of the dialect %j is not read as another one', async ($schema, number) => {
  const outputSchema = { $schema, type: 'object', properties: { n: { type: 'number', ...number } } };
  const results = [
    { ...text('t'), structuredContent: { n: 1 } },
    { ...text('No'), isError: true },
  ];
  const peer = new ScriptedPeer(newest, {
    'tools/list': () => ({ result: { tools: [{ ...tool, outputSchema }] } }),
    'tools/call': () => ({ result: results.shift()! }),
  });
  await using client = await connectTo(peer, newest);
  expect(await client.listTools()).toMatchObject([{ name: 'any', outputSchema }]);
  await expect(client.callTool('any')).rejects.toThrow(
    `the outputSchema of the tool "any" has an unsupported "$schema": ${JSON.stringify($schema)}; ` +
      'expected JSON Schema 2020-12, 2019-09, draft-07 or draft-06',
  );
  expect(await client.callTool('any')).toMatchObject({ isError: true });
});

test('an embedded schema of an unknown dialect is not read as another one', async () => {
  const outputSchema = { properties: { n: { $id: 'urn:n', $schema: 'urn:unknown-dialect' } } };
  const peer = new ScriptedPeer(newest, {
    'tools/list': () => ({ result: { tools: [{ ...tool, outputSchema }] } }),
    'tools/call': () => ({ result: { ...text('t'), structuredContent: { n: 1 } } }),
  });
  await using client = await connectTo(peer, newest);
  await client.listTools();
  await expect(client.callTool('any')).rejects.toThrow('unsupported "$schema": "urn:unknown-dialect"');
});

test('an outputSchema of draft-07 is read as draft-07', async () => {
  const pair = { type: 'array', items: [{ type: 'string' }], additionalItems: false };
  const outputSchema = {
    $schema: draft7,
    type: 'object',
    definitions: { pair },
    // Keywords beside a reference are ignored.
    properties: { pair: { $ref: '#/definitions/pair', maxItems: 0 }, bare: { prefixItems: [false] } },
    dependencies: { bare: ['pair'] },
  };
  const results = [{ pair: ['a'], bare: [1] }, { pair: ['a', 'b'] }, { bare: [] }];
  const peer = new ScriptedPeer(newest, {
    'tools/list': () => ({ result: { tools: [{ ...tool, outputSchema }] } }),
    'tools/call': () => ({ result: { ...text('t'), structuredContent: results.shift()! } }),
  });
  await using client = await connectTo(peer, newest);
  await client.listTools();
  expect(await client.callTool('any')).toMatchObject({ structuredContent: { pair: ['a'] } });
  await expect(client.callTool('any')).rejects.toThrow('/pair/1 must not be there');
  await expect(client.callTool('any')).rejects.toThrow('must have "pair"');
});
