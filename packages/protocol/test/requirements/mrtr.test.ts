import { expect } from 'vitest';
import { z } from 'zod';
import {
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  elicitUrl,
  inputRequired,
  listRoots,
  sampleModel,
  textContent,
} from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { RequestStateSeal } from '../../src/server/call/request-state.ts';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';

const everything = { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } };
const form = z.object({ sure: z.boolean() });
const yes = { action: 'accept', content: { sure: true } };

const questions = {
  form: elicit('Sure?', form),
  page: elicitUrl('Please sign in', 'https://example.com/'),
  model: sampleModel({ messages: [{ role: 'user', content: textContent('Hello') }], maxTokens: 9 }),
  roots: listRoots(),
};

/** Asks all questions in one result. */
const all = defineTool({
  name: 'all',
  description: 'Asks for everything.',
  run: (_, { inputs }) => (Object.keys(inputs).length === 4 ? 'Enough' : inputRequired(questions)),
});

/** Asks twice, counting in its state. */
const twice = defineTool({
  name: 'twice',
  description: 'Asks twice.',
  inputSchema: z.object({ what: z.string() }),
  run: ({ what }, { inputs, state }) => {
    const round = (state as number | undefined) ?? 0;
    if (inputs['sure'] && round === 2) return `Did ${what}`;
    return inputRequired({ sure: elicit('Sure?', form) }, inputs['sure'] ? round + 1 : round || 1);
  },
});

const pausing = defineTool({
  name: 'pausing',
  description: 'Has the client come back later.',
  run: (_, { state }) => (state === 'later' ? 'Done' : inputRequired({}, 'later')),
});

const server = example({ tools: [all, twice, pausing] });

requirement(['MRTR-01', 'MRTR-03'], 'one result has all questions, each under its key', async (version) => {
  const wire = await Wire.open(server, version, everything);
  expect(await wire.call('all')).toEqual({
    resultType: 'input_required',
    inputRequests: {
      form: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Sure?',
          requestedSchema: {
            type: 'object',
            properties: { sure: { type: 'boolean' } },
            required: ['sure'],
          },
        },
      },
      page: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Please sign in', url: 'https://example.com/' },
      },
      model: {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 9 },
      },
      roots: { method: 'roots/list' },
    },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'example', version: '1.0.0' } },
  });
  const inputResponses = {
    form: yes,
    page: { action: 'accept' },
    model: { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' },
    roots: { roots: [] },
  };
  expect(await wire.result('tools/call', { name: 'all', inputResponses })).toMatchObject({
    resultType: 'complete',
    content: [{ text: 'Enough' }],
  });
  expect(await wire.end()).toEqual([]);
});

requirement('MRTR-02', 'only three methods can request input', async (version) => {
  const ask = () => inputRequired({ sure: elicit('Sure?', form) });
  const asking = example({
    tools: [defineTool({ name: 'ask', description: 'Asks.', run: ask })],
    prompts: [
      definePrompt({
        name: 'ask',
        description: 'Asks.',
        inputSchema: z.object({ it: z.string() }),
        complete: { it: ask as unknown as () => string[] },
        run: ask,
      }),
    ],
    resources: [
      defineResource({ uri: 'ask:///it', name: 'it', read: ask }),
      defineResource({
        uri: 'ask:///{it}',
        name: 'more',
        read: ask,
        list: ask as unknown as () => [],
      }),
    ],
  });
  const wire = await Wire.open(asking, version, everything);
  for (const [method, params] of [
    ['tools/call', { name: 'ask' }],
    ['prompts/get', { name: 'ask', arguments: { it: 'x' } }],
    ['resources/read', { uri: 'ask:///it' }],
  ] as const) {
    expect(await wire.result(method, params)).toHaveProperty('resultType', 'input_required');
  }
  const argument = { name: 'it', value: '' };
  for (const [method, params] of [
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'ask' }, argument }],
    ['resources/list', {}],
  ] as const) {
    expect(await wire.error(method, params)).toMatchObject({ code: -32603 });
  }
});

requirement('COMP-08', 'completion never requests input', async (version) => {
  const curious = definePrompt({
    name: 'curious',
    description: 'Asks.',
    inputSchema: z.object({ it: z.string() }),
    complete: { it: (() => inputRequired({ roots: listRoots() })) as unknown as () => string[] },
    run: () => 'Hello',
  });
  const wire = await Wire.open(example({ prompts: [curious] }), version, everything);
  expect(
    await wire.error('completion/complete', {
      ref: { type: 'ref/prompt', name: 'curious' },
      argument: { name: 'it', value: '' },
    }),
  ).toMatchObject({ code: -32603 });
});

requirement('MRTR-04', 'an input_required result has a question or a state', async (version) => {
  const empty = defineTool({ name: 'empty', description: 'Asks nothing.', run: () => inputRequired({}) });
  const wire = await Wire.open(example({ tools: [all, pausing, empty] }), version, everything);
  const both = await wire.call('all');
  expect(Object.keys(both)).toContain('inputRequests');
  expect(Object.keys(both)).not.toContain('requestState');
  for (const name of ['pausing', 'empty']) {
    const later = await wire.call(name);
    expect(later).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    expect(Object.keys(later)).not.toContain('inputRequests');
  }
  const { requestState } = await wire.call('pausing');
  expect(await wire.result('tools/call', { name: 'pausing', arguments: {}, requestState })).toMatchObject({
    content: [{ text: 'Done' }],
  });
});

requirement('MRTR-05', 'no question is sent if the client does not support one of them', async (version) => {
  for (const [capabilities, requiredCapabilities] of [
    [{ ...everything.capabilities, elicitation: {} }, { elicitation: { url: {} } }],
    [{ ...everything.capabilities, elicitation: { url: {} } }, { elicitation: { form: {} } }],
    [{ ...everything.capabilities, sampling: undefined }, { sampling: {} }],
    [{ ...everything.capabilities, roots: undefined }, { roots: {} }],
  ]) {
    const wire = await Wire.open(server, version, { capabilities: capabilities as JsonObject });
    expect(await wire.error('tools/call', { name: 'all' })).toMatchObject({
      code: -32021,
      data: { requiredCapabilities },
    });
  }
});

requirement('MRTR-06', 'a client that never retries does not keep the server busy', async (version) => {
  const wire = await Wire.open(server, version, everything);
  for (let count = 0; count < 10; count++) await wire.call('twice', { what: 'it' });
  expect(await wire.end()).toEqual([]);
});

requirement(['MRTR-07', 'MRTR-08'], 'a changed state is refused', async (version) => {
  const wire = await Wire.open(server, version, everything);
  const params = { name: 'twice', arguments: { what: 'it' } };
  const { requestState } = (await wire.call('twice', { what: 'it' })) as { requestState: string };
  const flipped = requestState.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  for (const changed of [
    '',
    'AAAA',
    flipped,
    requestState.slice(0, -2),
    `${requestState}AA`,
    requestState.slice(0, 16),
    'not base64 at all!',
    JSON.stringify({ state: 2 }),
  ]) {
    expect(
      await wire.error('tools/call', { ...params, requestState: changed, inputResponses: { sure: yes } }),
    ).toEqual({
      code: -32602,
      message:
        '"requestState" is refused: it was not made by this server for this request; send the request ' +
        'again without it',
    });
  }
  expect(await wire.error('tools/call', { ...params, requestState: 7 })).toEqual({
    code: -32602,
    message: '"requestState" must be a string',
  });
});

requirement('MRTR-08', 'a state is encrypted, and differs each time', async (version) => {
  const secret = defineTool({
    name: 'secret',
    description: 'Keeps a secret.',
    run: () => inputRequired({ sure: elicit('Sure?', form) }, { account: 'Ada' }),
  });
  const wire = await Wire.open(example({ tools: [secret] }), version, everything);
  const states = [await wire.call('secret'), await wire.call('secret')].map(
    ({ requestState }) => requestState,
  );
  expect(states[0]).not.toBe(states[1]);
  for (const state of states) {
    expect(Buffer.from(state as string, 'base64url').toString('latin1')).not.toContain('Ada');
  }
});

requirement('MRTR-09', 'a state is valid for its own request only', async (version) => {
  const wire = await Wire.open(server, version, everything);
  const { requestState } = await wire.call('twice', { what: 'it' });
  const again = (params: JsonObject) =>
    wire.ask('tools/call', { ...params, requestState, inputResponses: { sure: yes } });
  for (const params of [{ name: 'twice', arguments: { what: 'something else' } }, { name: 'pausing' }]) {
    expect(await again(params)).toMatchObject({ error: { code: -32602 } });
  }
  expect(await again({ name: 'twice', arguments: { what: 'it' } })).toMatchObject({
    result: { resultType: 'input_required' },
  });
  const other = await Wire.open(example({ tools: [twice] }), version, everything);
  const stolen = { name: 'twice', arguments: { what: 'it' }, requestState };
  expect(await other.error('tools/call', stolen)).toMatchObject({ code: -32602 });
});

requirement('MRTR-09', 'a state is valid for servers of its name only, with its key', async (version) => {
  const stateKey = new Uint8Array(32).fill(1);
  const named = (name: string) =>
    Wire.open(defineServer({ name, version: '1.0.0', tools: [pausing], stateKey }), version, everything);
  const [first, replica, stranger] = await Promise.all(['one', 'one', 'two'].map(named));
  const { requestState } = await first!.call('pausing');
  const params = { name: 'pausing', arguments: {}, requestState };
  expect(await stranger!.error('tools/call', params)).toMatchObject({
    code: -32602,
    message: expect.stringContaining('it was not made by this server for this request') as string,
  });
  expect(await replica!.ask('tools/call', params)).toMatchObject({ result: { content: [{ text: 'Done' }] } });
});

requirement('MRTR-09', 'a state expires', async (version) => {
  const seal = new RequestStateSeal('example', undefined);
  const owner = { method: 'tools/call', params: { name: version }, principal: undefined };
  const sealed = await seal.seal('state', owner, 0);
  expect(await seal.open(sealed, owner, 10 * 60_000)).toBe('state');
  await expect(seal.open(sealed, owner, 10 * 60_000 + 1)).rejects.toThrow(
    '"requestState" is refused: it has expired; send the request again without it',
  );
});

requirement('MRTR-11', 'malformed answers are refused', async (version) => {
  const wire = await Wire.open(server, version, everything);
  const params = { name: 'twice', arguments: { what: 'it' } };
  for (const inputResponses of [[], 'yes', null, 7]) {
    expect(await wire.error('tools/call', { ...params, inputResponses })).toEqual({
      code: -32602,
      message: '"inputResponses" must be an object',
    });
  }
  for (const sure of [
    null,
    true,
    'yes',
    {},
    { action: 'maybe' },
    { action: 'accept', content: 'yes' },
    { roots: 'none' },
    { roots: [{ name: 'Home' }] },
    { role: 'assistant', content: { type: 'text', text: 'Hi' } },
    { role: 'system', content: { type: 'text', text: 'Hi' }, model: 'm' },
    { role: 'assistant', content: null, model: 'm' },
  ]) {
    expect(await wire.error('tools/call', { ...params, inputResponses: { sure } })).toEqual({
      code: -32602,
      message:
        'Invalid "inputResponses.sure"; expected the result of an elicitation, sampling or roots request',
    });
  }
});

requirement('MRTR-12', 'answers without a question are ignored', async (version) => {
  const wire = await Wire.open(server, version, everything);
  const { requestState } = await wire.call('twice', { what: 'it' });
  const params = { name: 'twice', arguments: { what: 'it' } };
  const second = await wire.result('tools/call', {
    ...params,
    requestState,
    inputResponses: { sure: yes, other: yes, constructor: { roots: [] } },
  });
  expect(
    await wire.result('tools/call', {
      ...params,
      requestState: second['requestState'],
      inputResponses: { sure: yes, other: { action: 'cancel' } },
    }),
  ).toMatchObject({ resultType: 'complete', content: [{ text: 'Did it' }] });
});

requirement('MRTR-13', 'a question without an answer is sent again', async (version) => {
  const wire = await Wire.open(server, version, everything);
  const params = { name: 'twice', arguments: { what: 'it' } };
  const { requestState } = await wire.call('twice', { what: 'it' });
  for (const inputResponses of [{}, { other: yes }]) {
    expect(await wire.result('tools/call', { ...params, requestState, inputResponses })).toMatchObject({
      resultType: 'input_required',
      inputRequests: { sure: { method: 'elicitation/create' } },
    });
  }
});

requirement('MRTR-17', 'an input_required result has no cache hints', async (version) => {
  const ask = () => inputRequired({ roots: listRoots() });
  const cached = defineResource({
    uri: 'ask:///it',
    name: 'it',
    read: ask,
    cache: { ttlMs: 60_000, scope: 'public' },
  });
  const wire = await Wire.open(example({ resources: [cached] }), version, everything);
  const asked = await wire.result('resources/read', { uri: cached.uri });
  expect(Object.keys(asked).toSorted()).toEqual(['_meta', 'inputRequests', 'resultType']);
});
