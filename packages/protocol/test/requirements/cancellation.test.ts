import { expect } from 'vitest';
import { type Call, defineTool, listRoots } from '@mcp/protocol';
import { Client, memoryChannels } from '@mcp/protocol/testing';
import { scriptedServer } from './scripted-server.ts';
import { questionTool } from './question-tool.ts';
import { requirement } from './requirement.ts';
import { example, stateless, Wire } from './wire.ts';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });

/** A tool that runs until it is cancelled, and the reason that its signal gets. */
function endless() {
  const { promise: started, resolve: start } = Promise.withResolvers<Call>();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<unknown>();
  const tool = defineTool({
    name: 'endless',
    description: 'Runs until it is cancelled.',
    run: (_, call) => {
      start(call);
      return new Promise<string>((resolve) =>
        call.signal.addEventListener('abort', () => {
          stop(call.signal.reason);
          call.progress(2);
          call.log('error', 'Cancelled');
          resolve('Too late');
        }),
      );
    },
  });
  return { tool, started, stopped };
}

requirement(
  'CANC-01',
  'a server cancels its request when its handler no longer waits for the answer',
  async (version) => {
    const wire = await Wire.open(example({ tools: [questionTool(listRoots())] }), version, {
      capabilities: { roots: {} },
    });
    const requestId = wire.send('tools/call', { name: 'ask' });
    const { id } = await wire.nextFromServer();
    wire.notify('notifications/cancelled', { requestId });
    expect(await wire.nextFromServer()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'The request that waited for the answer to roots/list was cancelled' },
    });
    // The answer has crossed the cancellation.
    wire.raw.send({ jsonrpc: '2.0', id, result: { roots: [] } });
    await wire.result('tools/list');
    expect(await wire.end()).toHaveLength(2);
  },
);

requirement('CANC-01', 'a server does not cancel an answered request', async (version) => {
  const wire = await Wire.open(example({ tools: [questionTool(listRoots())] }), version, {
    capabilities: { roots: {} },
  });
  const requestId = wire.send('tools/call', { name: 'ask' });
  const { id } = await wire.nextFromServer();
  wire.raw.send({ jsonrpc: '2.0', id, result: { roots: [] } });
  await wire.response(requestId);
  wire.notify('notifications/cancelled', { requestId });
  expect((await wire.end()).map(({ method }) => method)).toEqual(['roots/list']);
});

requirement(
  ['CANC-05', 'CANC-09', 'STDIO-09', 'STDIO-10', 'CANC-12'],
  'the handler of a cancelled request gets the reason, and no response is sent',
  async (version) => {
    const { tool, started, stopped } = endless();
    const server = example({ tools: [tool, hello], logging: true });
    const wire = await Wire.open(server, version, { logLevel: 'debug' });
    const requestId = wire.send('tools/call', { name: 'endless' }, { progressToken: 1 });
    const call = await started;
    expect(call.signal.aborted).toBe(false);
    wire.notify('notifications/cancelled', { requestId, reason: 'Changed my mind' });
    expect(await stopped).toEqual(new Error('Changed my mind'));
    await wire.call('hello');
    expect(await wire.end()).toEqual([]);
    expect(wire.raw.received.filter(({ id }) => id === requestId)).toEqual([]);
  },
);

requirement(
  'CANC-05',
  'a signal that is first read after the cancellation is already aborted',
  async (version) => {
    const { promise: started, resolve: start } = Promise.withResolvers<Call>();
    const forgetful = defineTool({
      name: 'forgetful',
      description: 'Looks at its signal late.',
      run: (_, call) => (start(call), new Promise<string>(() => {})),
    });
    const wire = await Wire.open(example({ tools: [forgetful, hello] }), version);
    const requestId = wire.send('tools/call', { name: 'forgetful' });
    const call = await started;
    wire.notify('notifications/cancelled', { requestId });
    await wire.call('hello');
    expect(call.signal.aborted).toBe(true);
    await wire.end();
  },
);

requirement(
  ['CANC-06', 'CANC-08', 'CANC-10'],
  'a cancellation of a request that is not running is ignored',
  async (version) => {
    const wire = await Wire.open(example({ tools: [hello] }), version);
    const done = wire.send('tools/call', { name: 'hello' });
    expect(await wire.response(done)).toHaveProperty('result');
    for (const params of [
      { requestId: done },
      { requestId: done, reason: 'Too late' },
      { requestId: 'never sent' },
      { requestId: String(done) },
      { requestId: null },
      { requestId: {} },
      { reason: 'No id' },
      {},
    ]) {
      wire.notify('notifications/cancelled', params);
    }
    wire.notify('notifications/cancelled');
    wire.raw.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: 'none' });
    expect(await wire.call('hello')).toMatchObject({ content: [{ text: 'Hello' }] });
    expect(await wire.end()).toEqual([]);
  },
);

requirement(
  'CANC-08',
  'a cancellation does not affect a request whose id has another type',
  async (version) => {
    const { tool, started, stopped } = endless();
    const wire = await Wire.open(example({ tools: [tool, hello] }), version);
    wire.raw.send({ ...wire.request('tools/call', { name: 'endless' }), id: '7' });
    const call = await started;
    wire.notify('notifications/cancelled', { requestId: 7 });
    await wire.call('hello');
    expect(call.signal.aborted).toBe(false);
    wire.notify('notifications/cancelled', { requestId: '7' });
    await stopped;
    await wire.end();
  },
);

requirement(
  'CANC-07',
  'a response that arrives after the cancellation of its request is ignored',
  async (version) => {
    const [ours, theirs] = memoryChannels();
    const { promise: called, resolve: call } = Promise.withResolvers<unknown>();
    let first: unknown;
    scriptedServer(theirs, ({ id, method }) => {
      if (method === 'initialize') {
        return {
          result: { protocolVersion: version, capabilities: {}, serverInfo: { name: 'x', version: '1' } },
        };
      }
      if (method === 'server/discover') return { result: { resultType: 'complete', capabilities: {} } };
      if (first === undefined) {
        first = id;
        call(undefined);
        return undefined;
      }
      // Both answers arrive now, the late one first.
      theirs.send(JSON.stringify({ jsonrpc: '2.0', id: first, result: { content: [], late: true } }));
      return { result: { content: [{ type: 'text', text: 'Second' }] } };
    });
    const warnings: string[] = [];
    await using client = await Client.connect(ours, {
      revision: version,
      onWarning: (message) => warnings.push(message),
    });
    const stop = new AbortController();
    const cancelled = client.callTool('x', {}, { signal: stop.signal });
    await called;
    stop.abort(new Error('Enough'));
    await expect(cancelled).rejects.toThrow('Enough');
    expect(await client.callTool('x')).toMatchObject({ content: [{ text: 'Second' }] });
    expect(warnings).toHaveLength(1);
  },
);

requirement(
  'CANC-12',
  'the server sends notifications/cancelled only for a subscription',
  async (version) => {
    const { tool, started } = endless();
    const wire = await Wire.open(example({ tools: [tool, questionTool(listRoots())] }), version, {
      capabilities: { roots: {} },
    });
    await wire.call('ask');
    const running = wire.send('tools/call', { name: 'endless' });
    await started;
    const listening = wire.send('subscriptions/listen', { notifications: {} });
    await wire.nextFromServer();
    const cancelled = wire.send('subscriptions/listen', { notifications: {} });
    await wire.nextFromServer();
    wire.notify('notifications/cancelled', { requestId: cancelled });
    wire.notify('notifications/cancelled', { requestId: running });
    const received = await wire.end();
    expect(received.filter(({ method }) => method === 'notifications/cancelled')).toEqual([
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: listening } },
    ]);
    expect(version).toBe(stateless);
  },
);
