import { expect } from 'vitest';
import { defineTool, inputRequired, listRoots } from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { example, metaOf, stamped, stateless, Wire } from './wire.ts';
import { echo, failing, server } from './rpc-server.ts';

const speaker = { capabilities: { elicitation: {} } };

requirement(
  ['RPC-01', 'RPC-07', 'RPC-08'],
  'a result is an object with version, id and result',
  async (version) => {
    const wire = await Wire.open(server, version);
    const id = wire.send('tools/call', { name: 'echo', arguments: { text: 'hello' } });
    expect(await wire.response(id)).toEqual({
      jsonrpc: '2.0',
      id,
      result: stamped(version, { content: [{ type: 'text', text: 'hello' }] }),
    });
  },
);

requirement(
  ['RPC-01', 'RPC-07', 'RPC-08', 'RPC-09'],
  'an error is an object with version, id, integer code and message',
  async (version) => {
    const wire = await Wire.open(server, version);
    const id = wire.send('nothing/here');
    expect(await wire.response(id)).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code: -32601, message: `No method "nothing/here" in protocol version ${version}` },
    });
  },
);

requirement('RPC-01', 'a message of another JSON-RPC version is refused', async (version) => {
  const wire = await Wire.open(server, version);
  const wrong = { ...wire.request('tools/list'), jsonrpc: '1.0', id: 'old' };
  expect(await wire.raw.ask(wrong)).toEqual({
    jsonrpc: '2.0',
    id: 'old',
    error: { code: -32600, message: '"jsonrpc" must be "2.0"' },
  });
});

requirement('RPC-02', 'ids that are neither strings nor integers are refused', async (version) => {
  const wire = await Wire.open(server, version);
  for (const id of [1.5, true, [1], { of: 1 }]) {
    expect(await wire.raw.ask({ ...wire.request('tools/list'), id })).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: '"id" must be a string or an integer' },
    });
  }
});

requirement(['RPC-03', 'RPC-10'], 'an id of null is refused without an id', async (version) => {
  const wire = await Wire.open(server, version);
  expect(await wire.raw.ask({ ...wire.request('tools/list'), id: null })).toEqual({
    jsonrpc: '2.0',
    error: { code: -32600, message: '"id" must be a string or an integer' },
  });
});

requirement(
  ['RPC-02', 'RPC-03', 'RPC-04'],
  'the requests of a server have unique integer ids',
  async (version) => {
    const roots = defineTool({
      name: 'roots',
      description: 'Asks three times.',
      run: (_, { state = 0 }) =>
        (state as number) < 3 ? inputRequired({ roots: listRoots() }, (state as number) + 1) : 'Done',
    });
    const wire = await Wire.open(example({ tools: [roots] }), version, { capabilities: { roots: {} } });
    if (version === stateless) {
      const result = await wire.call('roots');
      expect(result['inputRequests']).toEqual({ roots: { method: 'roots/list' } });
      return;
    }
    const id = wire.send('tools/call', { name: 'roots' });
    const ids = [];
    for (let round = 0; round < 3; round++) {
      const question = await wire.nextFromServer();
      expect(question).toEqual({ jsonrpc: '2.0', id: expect.any(Number), method: 'roots/list' });
      ids.push(question['id']);
      wire.raw.send({ jsonrpc: '2.0', id: question['id'], result: { roots: [] } });
    }
    await wire.response(id);
    expect(ids.every(Number.isInteger)).toBe(true);
    expect(new Set(ids).size).toBe(3);
  },
);

requirement('RPC-05', 'an id can be used again once it has its answer, and not before', async (version) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<string>();
  const wait = defineTool({ name: 'wait', description: 'Waits.', run: () => opened });
  const wire = await Wire.open(example({ tools: [echo, wait] }), version);
  const first = wire.request('tools/call', { name: 'wait' });
  wire.raw.send(first);
  expect(await wire.raw.ask({ ...wire.request('tools/list'), id: first.id })).toMatchObject({
    error: { code: -32600, message: `A request with the id ${first.id} is still being answered` },
  });
  open('Opened');
  expect(await wire.response(first.id)).toMatchObject({ result: { content: [{ text: 'Opened' }] } });
  const again = wire.request('tools/call', { name: 'echo', arguments: { text: 'again' } });
  expect(await wire.raw.ask({ ...again, id: first.id })).toMatchObject({
    id: first.id,
    result: { content: [{ text: 'again' }] },
  });
});

requirement('RPC-06', 'a response repeats the id with its type', async (version) => {
  const wire = await Wire.open(server, version);
  for (const id of [0, 1, -7, Number.MAX_SAFE_INTEGER, '1', '', 'ü "quoted"\n', '__proto__']) {
    expect(await wire.raw.ask({ ...wire.request('tools/list'), id })).toHaveProperty('id', id);
    expect(await wire.raw.ask({ ...wire.request('nothing/here'), id })).toHaveProperty('id', id);
  }
});

requirement('RPC-06', 'an integer id that cannot be represented exactly is refused', async (version) => {
  const wire = await Wire.open(server, version);
  const text = JSON.stringify({ ...wire.request('tools/list'), id: 'big' });
  expect(await wire.raw.ask(text.replace('"big"', '9007199254740993'))).toEqual({
    jsonrpc: '2.0',
    error: { code: -32600, message: '"id" must be a string or an integer' },
  });
});

requirement('RPC-09', 'an error code that is not an integer is never sent', async (version) => {
  const broken = failing(-1.5);
  const wire = await Wire.open(example({ tools: [broken] }), version);
  expect(await wire.error('tools/call', { name: broken.name })).toEqual({ code: -32603, message: 'No' });
});

requirement('RPC-10', 'every error has the id of its request', async (version) => {
  const wire = await Wire.open(server, version);
  const { params } = wire.request('tools/list');
  for (const wrong of [
    { jsonrpc: '2.0', id: 'a', method: 5 },
    { jsonrpc: '2.0', id: 'a' },
    { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: [] },
    { jsonrpc: '2.0', id: 'a', method: 'tools/call', params },
  ]) {
    expect(await wire.raw.ask(wrong)).toMatchObject({ id: 'a', error: {} });
  }
  expect(await wire.raw.ask('{"jsonrpc":"2.0","id":')).not.toHaveProperty('id');
});

requirement('RPC-11', 'an error message is one line', async (version) => {
  const wire = await Wire.open(server, version);
  for (const [method, params] of [
    ['nothing/here', {}],
    ['tools/call', { name: 'unknown' }],
    ['tools/call', {}],
    ['tools/list', { cursor: 'wrong' }],
  ] as const) {
    const { message } = await wire.error(method, params);
    expect(message).toMatch(/^[A-Z"].{5,150}[^.\s]$/);
  }
});

requirement('RPC-12', 'the notifications of a server have no id', async (version) => {
  const busy = defineTool({
    name: 'busy',
    description: 'Tells what it does.',
    run: (_, { progress, log }) => (progress(1), log('error', 'Busy'), 'Done'),
  });
  const wire = await Wire.open(example({ tools: [busy], logging: true }), version, { logLevel: 'debug' });
  await wire.call('busy', {}, { progressToken: 1 });
  expect(wire.fromServer.map(({ method }) => method)).toEqual([
    'notifications/progress',
    'notifications/message',
  ]);
  for (const received of wire.fromServer) expect(received).not.toHaveProperty('id');
});

requirement('RPC-13', 'a notification is never answered, valid or not', async (version) => {
  const wire = await Wire.open(server, version);
  for (const method of [
    'notifications/initialized',
    'notifications/unknown',
    'notifications/cancelled',
    'tools/list',
    'tools/call',
    'initialize',
    'ping',
  ]) {
    wire.notify(method);
    wire.notify(method, { requestId: {}, name: 'echo', _meta: metaOf() });
    wire.raw.send({ jsonrpc: '2.0', method, params: 'none' });
  }
  const id = wire.send('tools/list');
  expect(await wire.raw.next()).toMatchObject({ id });
});

requirement(['RPC-17', 'RPC-18'], 'results are either complete or input_required', async (version) => {
  const wire = await Wire.open(server, version, speaker);
  expect(await wire.call('echo', { text: 'x' })).toHaveProperty('resultType', 'complete');
  expect(await wire.call('ask')).toHaveProperty('resultType', 'input_required');
  for (const method of ['server/discover', 'tools/list']) {
    expect(await wire.result(method)).toHaveProperty('resultType', 'complete');
  }
});

requirement('RPC-18', 'no extension adds a type, whatever the client declares', async (version) => {
  const extensions = { 'io.modelcontextprotocol/tasks': {} };
  const wire = await Wire.open(server, version, { capabilities: { extensions } });
  expect(await wire.call('echo', { text: 'x' })).toHaveProperty('resultType', 'complete');
});

requirement('RPC-29', 'methods behind a missing capability do not exist', async (version) => {
  const wire = await Wire.open(example(), version);
  for (const method of [
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
    'completion/complete',
  ]) {
    expect(await wire.error(method)).toEqual({
      code: -32601,
      message: `This server does not support "${method}"`,
    });
  }
});

requirement('RPC-30', 'text of every script is returned unchanged', async (version) => {
  const text = 'Zürich 東京 🦔 \u2028 \u0000';
  const wire = await Wire.open(server, version);
  expect(await wire.call('echo', { text })).toMatchObject({ content: [{ type: 'text', text }] });
});

requirement('RPC-31', 'a server without any feature is served', async (version) => {
  const wire = await Wire.open(example(), version);
  expect(await wire.capabilities()).toEqual({});
  expect(await wire.error('nothing/here')).toMatchObject({ code: -32601 });
  if (version !== stateless) expect(await wire.result('ping')).toEqual({});
});

requirement('RPC-32', 'a question to the user is never a request', async (version) => {
  const wire = await Wire.open(server, version, speaker);
  await wire.call('ask');
  expect(await wire.end()).toEqual([]);
});
