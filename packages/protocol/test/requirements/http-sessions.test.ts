import { expect } from 'vitest';
import { z } from 'zod';
import { defineTool, elicit, inputRequired, LiveList } from '@mcp/protocol';
import { serveHttp } from '../../src/http.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { EventReader } from '../http/events.ts';
import { basics, HttpWire, messageOf } from '../http/http-wire.ts';
import { requirement } from './requirement.ts';
import { example } from './wire.ts';
import { steps, server, speaks, text, begins } from './http-session-server.ts';

/** A tool that reports its start, and ends when it is released. */
function waiting() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>();
  const { promise: released, resolve: release } = Promise.withResolvers<string>();
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    run: (_, { signal, progress }) => {
      progress(1);
      begin(signal);
      return released;
    },
  });
  return { wait, begun, release: () => release('Waited') };
}

requirement(['HTTPL-01', 'HTTPL-22'], 'one path accepts POST, GET and DELETE', async (version) => {
  await using wire = await HttpWire.open(server, version);
  expect((await wire.ask('tools/list')).status).toBe(200);
  const stream = await wire.get();
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect((await wire.get({ accept: 'application/json' })).status).toBe(406);
  expect((await wire.delete()).status).toBe(204);
  // Without a session there is no stream to open.
  const stranger = await fetch(wire.url, { headers: { accept: 'text/event-stream' } });
  expect([stranger.status, stranger.headers.get('allow')]).toEqual([405, 'POST']);
});

requirement(
  ['HTTPL-02', 'HTTPL-03'],
  'requests from foreign origins are refused, for every method',
  async (version) => {
    await using wire = await HttpWire.open(server, version, { allowedOrigins: ['https://friend.example'] });
    const status = async (method: string, origin: string) =>
      (
        await fetch(wire.url, {
          method,
          headers: { ...wire.headers, origin, 'mcp-protocol-version': version },
        })
      ).status;
    for (const origin of [
      'https://evil.example',
      'null',
      'file://',
      'https://friend.example.evil',
      'http://friend.example',
    ]) {
      for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT']) {
        expect([method, origin, await status(method, origin)]).toEqual([method, origin, 403]);
      }
      const body = await (await fetch(wire.url, { method: 'POST', headers: { origin } })).json();
      expect(body).toEqual({
        jsonrpc: '2.0',
        error: {
          code: -32600,
          message: `The origin "${origin}" is not allowed; the server's \`allowedOrigins\` must name it`,
        },
      });
    }
    for (const origin of ['https://friend.example', 'http://localhost:5173', 'http://127.0.0.1']) {
      expect((await wire.ask('tools/list', {}, { origin })).status).toBe(200);
    }
  },
);

requirement('HTTPL-04', 'only this machine can connect unless another address is given', async (version) => {
  await using wire = await HttpWire.open(server, version);
  expect(new URL(wire.url).hostname).toBe('127.0.0.1');
});

requirement('HTTPL-05', 'a server that other machines can reach requires a token', async (version) => {
  for (const host of ['0.0.0.0', '::', '', '192.0.2.1']) {
    await expect(serveHttp(server, { host })).rejects.toThrow(
      `Refusing to listen on "${host}" without a token`,
    );
  }
  const authorization = `Bearer secret-${version}`;
  await using wire = await HttpWire.open(
    server,
    version,
    { host: '0.0.0.0', token: `secret-${version}` },
    {},
    { authorization },
  );
  const url = wire.url.replace('0.0.0.0', '127.0.0.1');
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  expect((await wire.ask('tools/list', {}, { authorization })).status).toBe(200);
});

requirement(
  'HTTPL-09',
  'notifications and responses are accepted with 202 and an empty body',
  async (version) => {
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      run: (_, { inputs }) =>
        inputs['it'] ? 'Thank you' : inputRequired({ it: elicit('Well?', z.object({})) }),
    });
    const roots = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
    await using wire = await HttpWire.open(
      example({ tools: [ask] }),
      version,
      {},
      { capabilities: { elicitation: {}, roots: {} } },
    );
    for (const message of [
      roots,
      { jsonrpc: '2.0', method: 'notifications/unknown' },
      { jsonrpc: '2.0', id: 999, result: {} },
    ]) {
      const response = await wire.send(message);
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
    if (version === '2025-03-26') {
      const several = await wire.post([roots, roots], wire.headers);
      expect([several.status, await several.text()]).toEqual([202, '']);
      return;
    }
    // The question comes by the stream of the call that asks it, and the answer by a POST of its own.
    const events = new EventReader(await wire.call('ask'));
    const question = await events.message();
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Well?' } });
    const answer = { jsonrpc: '2.0', id: question!['id'], result: { action: 'accept', content: {} } };
    const accepted = await wire.send(answer as JsonObject);
    expect([accepted.status, await accepted.text()]).toEqual([202, '']);
    expect(await events.message()).toEqual({ jsonrpc: '2.0', id: 1, result: text('Thank you') });
  },
);

requirement(
  'HTTPL-10',
  'a notification or response that cannot be accepted is an HTTP error',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const received = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
    for (const wrong of [
      { ...received, jsonrpc: '1.0' },
      { method: received.method },
      { ...received, method: 5 },
      { jsonrpc: '2.0', id: 1, result: 5 },
      { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'x' } },
      { jsonrpc: '2.0', id: 1, error: 'No' },
      {},
    ]) {
      const response = await wire.send(wrong as JsonObject);
      expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32600 } }]);
    }
    expect((await wire.post(received, basics)).status).toBe(400);
    expect((await wire.send(received, { 'mcp-session-id': 'unknown' })).status).toBe(404);
  },
);

requirement('HTTPL-11', 'a request is answered with JSON or with a stream', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const simple = await wire.call('echo', { text: 'Grüezi' });
  expect([simple.status, simple.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await simple.json()).toEqual({ jsonrpc: '2.0', id: 1, result: text('Grüezi') });
  const stream = await begins(wire, 'steps', 'a');
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(await messageOf(stream)).toEqual({ jsonrpc: '2.0', id: 2, result: text('Done') });
  const unknown = await wire.ask('nothing/here');
  expect([unknown.status, await unknown.json()]).toMatchObject([200, { id: 3, error: { code: -32601 } }]);
});

requirement(
  ['HTTPL-13', 'HTTPL-14', 'HTTPL-16'],
  'a stream has the messages about its request, then the response, and then ends',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    await Promise.all(
      ['a', 'b'].map(async (progressToken) => {
        const events = await new EventReader(await begins(wire, 'steps', progressToken)).rest();
        const messages = events.filter(({ data }) => data).map(({ data }) => JSON.parse(data!) as JsonObject);
        const progress = { method: 'notifications/progress', params: { progressToken } };
        expect(messages).toMatchObject([progress, progress, { result: text('Done') }]);
      }),
    );
  },
);

requirement('HTTPL-15', 'a stream that cannot be resumed stays open until its response', async (version) => {
  const { wait, release } = waiting();
  const both = example({ tools: [wait] });
  const limits = { maxStreamMs: 5, retryMs: 1 };
  await using wire = await HttpWire.open(both, version, { limits });
  await using newer = await HttpWire.open(both, '2025-11-25', { limits });
  const events = new EventReader(await begins(wire, 'wait', 'a'));
  // One that was opened later is let go first.
  const interrupted = await new EventReader(await begins(newer, 'wait', 'a')).rest();
  expect(interrupted.at(-1)).toEqual({ retry: '1' });
  release();
  expect(await events.message()).toMatchObject({ params: { progress: 1 } });
  expect(await events.message()).toMatchObject({ result: text('Waited') });
});

requirement('HTTPL-17', 'a disconnect does not cancel, and the client can reconnect', async (version) => {
  const { wait, begun, release } = waiting();
  await using wire = await HttpWire.open(example({ tools: [wait] }), version);
  const events = new EventReader(await begins(wire, 'wait', 'a'));
  if (speaks(version).primed) await events.next();
  const { id } = (await events.next())!;
  await events.close();
  const again = new EventReader(await wire.get({ 'last-event-id': id! }));
  const signal = await begun;
  release();
  expect(await again.message()).toEqual({ jsonrpc: '2.0', id: 1, result: text('Waited') });
  expect(await again.next()).toBeUndefined();
  expect(signal.aborted).toBe(false);
});

requirement('HTTPL-18', 'a stream begins with an event that has an id and no data', async (version) => {
  const { wait, release } = waiting();
  await using wire = await HttpWire.open(example({ tools: [wait] }), version);
  const post = new EventReader(await wire.call('wait'));
  expect(await post.next()).toEqual({ id: expect.any(String), data: '' });
  const get = new EventReader(await wire.get());
  expect(await get.next()).toEqual({ id: expect.any(String), data: '' });
  release();
});

requirement(
  'HTTPL-19',
  'a connection that the server closes first sends the delay for a reconnect',
  async (version) => {
    const { wait, release } = waiting();
    const limits = { maxStreamMs: 5, retryMs: 7 };
    await using wire = await HttpWire.open(example({ tools: [wait] }), version, { limits });
    const events = await new EventReader(await wire.call('wait')).rest();
    expect(events).toEqual([{ id: expect.any(String), data: '' }, { retry: '7' }]);
    release();
    const resumed = new EventReader(await wire.get({ 'last-event-id': events[0]!.id! }));
    expect(await resumed.message()).toEqual({ jsonrpc: '2.0', id: 1, result: text('Waited') });
  },
);

requirement(
  ['HTTPL-23', 'HTTPL-24', 'HTTPL-25'],
  'a message goes to exactly one stream: that of its request, or that of GET',
  async (version) => {
    const tools = new LiveList([steps]);
    await using wire = await HttpWire.open(example({ tools }), version);
    const older = new EventReader(await wire.get());
    const get = new EventReader(await wire.get());
    const post = await begins(wire, 'steps', 'a');
    tools.replace([steps]);
    expect(await get.message()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    const own = (await new EventReader(post).rest()).filter(({ data }) => data);
    expect(own.map(({ data }) => JSON.parse(data!) as JsonObject)).toMatchObject([
      { method: 'notifications/progress' },
      { method: 'notifications/progress' },
      { result: text('Done') },
    ]);
    await wire.delete();
    expect(await get.rest()).toEqual([]);
    expect((await older.rest()).filter(({ data }) => data)).toEqual([]);
  },
);
