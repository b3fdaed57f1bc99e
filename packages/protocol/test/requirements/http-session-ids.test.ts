import { expect } from 'vitest';
import { defineTool, jsonSchema, LiveList } from '@mcp/protocol';
import { EventReader } from '../http/events.ts';
import { basics, HttpWire, messageOf, raw, refusal } from '../http/http-wire.ts';
import { requirement } from './requirement.ts';
import { example, initialize } from './wire.ts';
import { steps, server, speaks, begins } from './http-session-server.ts';

requirement(
  ['HTTPL-26', 'HTTPL-27', 'HTTPL-28', 'HTTPL-24'],
  'event ids are unique and resume their own stream',
  async (version) => {
    const tools = new LiveList([steps]);
    await using wire = await HttpWire.open(example({ tools }), version);
    const get = new EventReader(await wire.get());
    tools.replace([steps]);
    if (speaks(version).primed) await get.next();
    const changed = await get.next();
    const streams = [];
    for (const token of ['a', 'b', 'c']) {
      const events = await new EventReader(await begins(wire, 'steps', token)).rest();
      streams.push(events.filter(({ data }) => data));
    }
    const ids = [changed!, ...streams.flat()].map(({ id }) => id);
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(10);
    // From each place of each stream comes the rest of that stream, word for word.
    for (const events of streams) {
      for (const [place, { id }] of events.entries()) {
        const rest = await new EventReader(await wire.get({ 'last-event-id': id! })).rest();
        expect(rest).toEqual(events.slice(place + 1));
      }
    }
  },
);

requirement(
  ['HTTPL-30', 'HTTPL-31'],
  'session ids are random and consist of visible ASCII characters',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const ids = new Set<string>();
    for (let count = 0; count < 20; count++) {
      await wire.handshake();
      expect(wire.session).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      ids.add(wire.session!);
    }
    expect(ids.size).toBe(20);
  },
);

requirement('HTTPL-33', 'without a session id only initialize is served', async (version) => {
  await using wire = await HttpWire.open(server, version);
  for (const message of [wire.request('tools/list'), wire.request('ping')]) {
    expect(await refusal(await wire.post(message, basics))).toEqual([
      400,
      {
        code: -32600,
        message: 'Missing Mcp-Session-Id; send it, or send the headers and "_meta" of revision 2026-07-28',
      },
    ]);
  }
  expect((await fetch(wire.url, { method: 'DELETE' })).status).toBe(400);
  const first = await wire.post(initialize(1, version), basics);
  expect(await messageOf(first)).toMatchObject({ result: { protocolVersion: version } });
});

requirement('HTTPL-34', 'a request to an ended session gets 404', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const stream = new EventReader(await wire.get());
  if (speaks(version).primed) await stream.next();
  expect((await wire.delete()).status).toBe(204);
  expect(await stream.next()).toBeUndefined();
  for (const response of [await wire.ask('tools/list'), await wire.get(), await wire.delete()]) {
    expect(await refusal(response)).toEqual([
      404,
      { code: -32600, message: 'Unknown Mcp-Session-Id; send "initialize" to begin a new session' },
    ]);
  }
});

requirement('HTTPL-38', 'without the version header the negotiated version is used', async (version) => {
  const typed = defineTool({
    name: 'typed',
    description: 'Gives a fact.',
    outputSchema: jsonSchema<object>({ type: 'object' }, (value) => value as object),
    run: () => ({ sum: 5 }),
  });
  await using wire = await HttpWire.open(example({ tools: [typed] }), version);
  const { 'mcp-protocol-version': _, ...headers } = wire.headers;
  const message = wire.request('tools/call', { name: 'typed' });
  expect(await messageOf(await wire.post(message, headers))).toMatchObject({
    result: { structuredContent: { sum: 5 } },
  });
  // Where there is no session either, it is not taken for a request of 2026-07-28.
  expect(await refusal(await wire.post(message, basics))).toMatchObject([400, { code: -32600 }]);
});

requirement('HTTPL-39', 'a version header with an unknown version is refused', async (version) => {
  await using wire = await HttpWire.open(server, version);
  for (const header of ['2099-01-01', 'latest', '', '2025-11-25, 2025-11-25']) {
    const headers = { 'mcp-protocol-version': header };
    for (const response of [
      await wire.ask('tools/list', {}, headers),
      await wire.get(headers),
      await wire.delete(headers),
    ]) {
      expect([header, (await refusal(response))[0]]).toEqual([header, 400]);
    }
  }
  expect((await wire.ask('tools/list')).status).toBe(200);
});

requirement('HTTPL-02', 'a request with another host name is refused', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const { port } = new URL(wire.url);
  const status = async (host: string) =>
    (await raw(wire.url, { method: 'GET', headers: ['Host', host] })).status;
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '[::2]',
    '0.0.0.0',
    '',
  ]) {
    expect([host, await status(host)]).toEqual([host, 403]);
  }
  for (const host of ['localhost', `LOCALHOST:${port}`, '127.0.0.1:1', '[::1]', '[::1]:80']) {
    expect([host, await status(host)]).toEqual([host, 405]);
  }
});
