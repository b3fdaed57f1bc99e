import { RpcError, type ClientOptions } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { requirement } from './requirement.ts';
import { connectTo, newest, ScriptedPeer, text } from './scripted-peer.ts';

/** The answer of a client to a request of its server: by a request, or inside a result. */
async function answerOf(version: string, request: JsonObject, options: ClientOptions): Promise<JsonObject> {
  if (version !== newest) {
    const peer = new ScriptedPeer(version);
    await using client = await connectTo(peer, version, options);
    peer.send({ id: 'r', ...request });
    const answer = await peer.awaited(({ id, method }) => id === 'r' && method === undefined);
    expect(await client.callTool('any')).toEqual(text('done'));
    return answer;
  }
  let answer: JsonObject | undefined;
  const peer = new ScriptedPeer(version, {
    'tools/call': ({ params }) => {
      const { inputResponses } = params as { inputResponses?: { r: JsonObject } };
      answer = inputResponses?.r;
      if (inputResponses) return { result: text('done') };
      return { result: { resultType: 'input_required', inputRequests: { r: request } } };
    },
  });
  await using client = await connectTo(peer, version, options);
  const failed = await client.callTool('any').then(
    () => undefined,
    (error: unknown) => error as { code?: number; message: string },
  );
  return failed ? { error: { code: failed.code ?? -32603, message: failed.message } } : { result: answer };
}

const sampling = (more: object = {}) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 5, ...more },
});
const form = (more: object = {}) => ({
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} }, ...more },
});
const sample: ClientOptions['sample'] = () =>
  Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' });

requirement('ROOT-02', 'roots other than file: URIs are not sent', async (version) => {
  const roots = (uri: string) => ({ roots: () => Promise.resolve([{ uri }]) });
  expect(await answerOf(version, { method: 'roots/list' }, roots('file:///home'))).toMatchObject({
    result: { roots: [{ uri: 'file:///home' }] },
  });
  expect(await answerOf(version, { method: 'roots/list' }, roots('https://example.com'))).toMatchObject({
    error: { code: -32603 },
  });
});

requirement(
  'ROOT-05',
  'roots/list is an unknown method without roots, and an error if the host fails',
  async (version) => {
    const unknown = await answerOf(version, { method: 'roots/list' }, {});
    expect(unknown).toMatchObject({ error: { code: -32601 } });
    const failing = { roots: () => Promise.reject(new Error('No disk')) };
    expect(await answerOf(version, { method: 'roots/list' }, failing)).toMatchObject({
      error: { code: -32603, message: 'No disk' },
    });
  },
);

requirement('SAMP-09', 'a refusal of the user is an error with code -1', async (version) => {
  const refuse = () => Promise.reject(new RpcError(-1, 'User rejected sampling request'));
  expect(await answerOf(version, sampling(), { sample: refuse })).toMatchObject({
    error: { code: -1, message: 'User rejected sampling request' },
  });
});

requirement('SAMP-10', 'sampling with tools is refused unless it is declared', async (version) => {
  for (const more of [{ tools: [] }, { toolChoice: { mode: 'auto' } }]) {
    expect(await answerOf(version, sampling(more), { sample })).toMatchObject({ error: { code: -32602 } });
    expect(await answerOf(version, sampling(more), { sample, samplesTools: true })).toMatchObject({
      result: { model: 'm' },
    });
  }
});

requirement('ELIC-06', 'elicitation without a mode is a form', async (version) => {
  const seen: unknown[] = [];
  const elicit: ClientOptions['elicit'] = (request) => {
    seen.push(request);
    return Promise.resolve({ action: 'decline' });
  };
  expect(await answerOf(version, form(), { elicit })).toMatchObject({ result: { action: 'decline' } });
  expect(seen).toMatchObject([{ message: 'Sure?' }]);
});

requirement('ELIC-08', 'a mode of elicitation that is not declared is refused', async (version) => {
  const elicit: ClientOptions['elicit'] = () => Promise.resolve({ action: 'accept' });
  for (const mode of ['url', 'telepathy', 7, null]) {
    const request = form({ mode, url: 'https://example.com' });
    const answer = await answerOf(version, request, { elicit });
    expect(answer).toMatchObject(mode === null ? { result: {} } : { error: { code: -32602 } });
  }
  const url = form({ mode: 'url', url: 'javascript:alert(1)' });
  expect(await answerOf(version, url, { elicit, elicitsUrls: true })).toMatchObject({
    error: { code: -32602 },
  });
});

requirement('ELIC-11', 'the completion of an unknown elicitation is ignored', async (version) => {
  const peer = new ScriptedPeer(version);
  await using client = await connectTo(peer, version);
  peer.send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'unknown' } });
  expect(await client.callTool('any')).toEqual(text('done'));
});

test('an accepted form has the defaults of the fields that the answer omits', async () => {
  const requestedSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'Ann' },
      age: { type: 'integer', default: 3 },
      note: { type: 'string' },
    },
  };
  const elicit: ClientOptions['elicit'] = () => Promise.resolve({ action: 'accept', content: { age: 4 } });
  for (const version of ['2025-11-25', newest]) {
    const answer = await answerOf(version, form({ requestedSchema }), { elicit });
    expect(answer).toMatchObject({ result: { action: 'accept', content: { name: 'Ann', age: 4 } } });
  }
});

test('requests with invalid params do not reach the host', async () => {
  const reached: unknown[] = [];
  const options: ClientOptions = {
    sample: (request) => (reached.push(request), Promise.reject(new Error('reached'))),
    elicit: (request) => (reached.push(request), Promise.reject(new Error('reached'))),
  };
  for (const version of ['2025-11-25', newest]) {
    for (const request of [
      sampling({ messages: 'hello' }),
      sampling({ messages: [{ role: 'system', content: {} }] }),
      sampling({ maxTokens: 'many' }),
      sampling({ messages: [{ role: 'user', content: { type: 'text' } }] }),
      sampling({
        messages: [{ role: 'user', content: [{ type: 'image', data: 1, mimeType: 'image/png' }] }],
      }),
      sampling({ systemPrompt: {} }),
      sampling({ stopSequences: 'end' }),
      form({ requestedSchema: null }),
      form({ message: 5 }),
    ]) {
      expect(await answerOf(version, request, options)).toMatchObject({ error: { code: -32602 } });
    }
  }
  expect(reached).toEqual([]);
});

test('a cancellation of the server aborts the signal of its request', async () => {
  const peer = new ScriptedPeer('2025-11-25');
  let signal: AbortSignal | undefined;
  const asked = Promise.withResolvers<void>();
  await using client = await connectTo(peer, '2025-11-25', {
    roots: (call) => {
      signal = call.signal;
      asked.resolve();
      return new Promise(() => {});
    },
  });
  peer.send({ id: 'r', method: 'roots/list' });
  await asked.promise;
  peer.send({ method: 'notifications/cancelled', params: { requestId: 'r', reason: 'Never mind' } });
  await client.callTool('any');
  expect(signal?.reason).toEqual(new Error('Never mind'));
});

test.each(['2025-11-25', newest])(
  'a host that opens pages gets requests with a URL (%s)',
  async (version) => {
    const seen: unknown[] = [];
    const elicit: ClientOptions['elicit'] = (request) => {
      seen.push(request);
      return Promise.resolve({ action: 'accept' });
    };
    const url = 'https://example.com/pay';
    const params = { mode: 'url', url, message: 'Pay?', elicitationId: 'e1' };
    const answer = await answerOf(
      version,
      { method: 'elicitation/create', params },
      { elicit, elicitsUrls: true },
    );
    expect(answer).toMatchObject({ result: { action: 'accept' } });
    expect(seen).toMatchObject([{ url, message: 'Pay?' }]);
  },
);

test('a change of the roots is notified up to 2025-11-25', async () => {
  for (const version of ['2025-11-25', newest]) {
    const peer = new ScriptedPeer(version);
    await using client = await connectTo(peer, version, { roots: () => Promise.resolve([]) });
    client.rootsChanged();
    await client.callTool('any');
    const notified = peer.of('notifications/roots/list_changed');
    expect(notified).toHaveLength(version === newest ? 0 : 1);
  }
});

const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} });
const toolResult = (toolUseId: string) => ({
  type: 'tool_result',
  toolUseId,
  content: [{ type: 'text', text: 'r' }],
});
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });

test.each([
  [[assistant(use('a'), use('b')), user(toolResult('b'), toolResult('a'))], undefined],
  [[assistant(use('a')), user(toolResult('a'), { type: 'text', text: 'and' })], 'no other content'],
  [[assistant(toolResult('a'))], 'must have the role "user"'],
  [[assistant(use('a'), use('b')), user(toolResult('a'))], '"b" has no result'],
  [[assistant(use('a')), user({ type: 'text', text: 'so?' })], '"a" has no result'],
  [[assistant(use('a'))], '"a" has no result'],
  [[user(toolResult('z'))], '"z" belongs to no tool use'],
])('the messages %j of a sampling request are checked before the host gets them', async (messages, wrong) => {
  let asked = 0;
  const counting: ClientOptions['sample'] = (params, call) => (asked++, sample(params, call));
  const answered = await answerOf('2025-11-25', sampling({ messages }), {
    sample: counting,
    samplesTools: true,
  });
  expect(asked).toBe(wrong === undefined ? 1 : 0);
  expect(answered).toMatchObject(
    wrong === undefined
      ? { result: { model: 'm' } }
      : { error: { code: -32602, message: expect.stringContaining(wrong) } },
  );
});
