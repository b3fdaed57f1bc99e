import { expect } from 'vitest';
import { z } from 'zod';
import { defineTool } from '@mcp/protocol';
import { basics, headersOf, HttpWire, messageOf, raw, refusal } from '../http/http-wire.ts';
import { requirement } from './requirement.ts';
import { example } from './wire.ts';
import { server, mismatch } from './http-stateless-server.ts';

requirement('HTTPM-14', 'a request without the version header is refused', async (version) => {
  await using wire = await HttpWire.open(server, version);
  const message = wire.request('server/discover');
  const { 'mcp-protocol-version': _, ...headers } = headersOf(message);
  expect(await refusal(await wire.post(message, headers))).toEqual([
    400,
    mismatch('The header MCP-Protocol-Version is missing, but the body has "2026-07-28"'),
  ]);
  // Without _meta it may be one of an earlier revision, which there is no session for.
  const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await wire.post(bare, basics)).status).toBe(400);
});

requirement(['HTTPM-15', 'HTTPM-23'], 'a version that differs from the body is refused', async (version) => {
  await using wire = await HttpWire.open(server, version);
  for (const header of ['2025-11-25', '2099-01-01', '2026-07-28, 2026-07-28', '']) {
    expect(await refusal(await wire.ask('server/discover', {}, { 'mcp-protocol-version': header }))).toEqual([
      400,
      mismatch(`The header MCP-Protocol-Version is ${JSON.stringify(header)}, but the body has "2026-07-28"`),
    ]);
  }
  const unnamed = { jsonrpc: '2.0', id: 1, method: 'server/discover' };
  expect(await refusal(await wire.post(unnamed, headersOf(unnamed)))).toEqual([
    400,
    { code: -32602, message: '"_meta.io.modelcontextprotocol/protocolVersion" must be a version string' },
  ]);
});

requirement(
  ['HTTPM-16', 'ERA-05'],
  'the refusal of an unsupported version names the supported ones',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const supported = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
    const error = (requested: string, message: string) => ({
      code: -32022,
      message,
      data: { supported, requested },
    });
    const inMeta = (requested: string) =>
      error(requested, `Unsupported protocol version in "_meta": "${requested}"; expected 2026-07-28`);
    const message = wire.request(
      'server/discover',
      {},
      {
        'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      },
    );
    expect(await refusal(await wire.send(message, { 'mcp-protocol-version': '2099-01-01' }))).toEqual([
      400,
      inMeta('2099-01-01'),
    ]);
    const known = wire.request('tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' });
    expect(await refusal(await wire.send(known, { 'mcp-protocol-version': '2025-11-25' }))).toEqual([
      400,
      inMeta('2025-11-25'),
    ]);
    // Also where the header alone names it.
    const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const inHeader = `Unsupported protocol version: "2099-01-01"; expected ${supported.join(', ')}`;
    expect(await refusal(await wire.post(bare, { ...basics, 'mcp-protocol-version': '2099-01-01' }))).toEqual(
      [400, error('2099-01-01', inHeader)],
    );
  },
);

requirement(
  ['HTTPM-18', 'HTTPM-23', 'HTTPM-24'],
  'a request without an Mcp-Method that matches the method is refused',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const message = wire.request('tools/list');
    const { 'mcp-method': _, ...unnamed } = headersOf(message);
    expect(await messageOf(await wire.post(message, unnamed))).toEqual({
      jsonrpc: '2.0',
      id: message.id,
      error: mismatch('The header Mcp-Method is missing, but the body has "tools/list"'),
    });
    for (const header of [
      'tools/call',
      'Tools/List',
      'tools/list, tools/list',
      '=?base64?dG9vbHMvbGlzdA==?=',
    ]) {
      expect(await refusal(await wire.send(message, { 'mcp-method': header }))).toEqual([
        400,
        mismatch(`The header Mcp-Method is "${header}", but the body has "tools/list"`),
      ]);
    }
  },
);

requirement(
  ['HTTPM-19', 'HTTPM-23', 'HTTPM-24'],
  'a request without an Mcp-Name that matches the name is refused',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    for (const [method, params, name] of [
      ['tools/call', { name: 'echo', arguments: { text: 'x' } }, 'echo'],
      ['prompts/get', { name: 'plain' }, 'plain'],
      ['resources/read', { uri: 'page:///one' }, 'page:///one'],
    ] as const) {
      const message = wire.request(method, params);
      const { 'mcp-name': _, ...unnamed } = headersOf(message);
      expect((await wire.send(message)).status).toBe(200);
      expect(await refusal(await wire.post(message, unnamed))).toEqual([
        400,
        mismatch(`The header Mcp-Name is missing, but the body has "${name}"`),
      ]);
      for (const header of ['other', name.toUpperCase(), `${name}, ${name}`, '']) {
        expect(await refusal(await wire.send(message, { 'mcp-name': header }))).toEqual([
          400,
          mismatch(`The header Mcp-Name is "${header}", but the body has "${name}"`),
        ]);
      }
    }
    const nameless = wire.request('tools/call', {});
    expect(await refusal(await wire.send(nameless, { 'mcp-name': 'echo' }))).toEqual([
      400,
      mismatch('The header Mcp-Name is "echo", but the body has nothing'),
    ]);
  },
);

requirement(
  'HTTPM-20',
  'names of headers are case-insensitive, and values are case-sensitive',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const message = wire.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
    const headers = (name: string) =>
      [
        ['Content-Type', 'application/json'],
        ['MCP-PROTOCOL-VERSION', version],
        ['mCp-MeThOd', 'tools/call'],
        ['MCP-name', name],
      ].flat();
    const body = JSON.stringify(message);
    expect(await raw(wire.url, { headers: headers('echo'), body })).toMatchObject({ status: 200 });
    expect(await raw(wire.url, { headers: headers('Echo'), body })).toMatchObject({ status: 400 });
  },
);

requirement(
  ['HTTPM-21', 'HTTPM-24'],
  'a name in Base64 is decoded before it is compared',
  async (version) => {
    await using wire = await HttpWire.open(server, version);
    const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    const read = async (uri: string, header: string) => {
      const response = await wire.ask('resources/read', { uri }, { 'mcp-name': header });
      await response.text();
      return response.status;
    };
    expect(await read('page:///one', base64('page:///one'))).toBe(200);
    expect(await read('page:///日本', base64('page:///日本'))).toBe(200);
    expect(await read('page:///one', base64('page:///two'))).toBe(400);
    for (const invalid of [
      '=?base64?cGFnZTovLy9vbmU?=',
      '=?base64?cGFnZTovLy9vbmU=',
      '=?base64?cGFnZTo*Ly9vbmU=?=',
      '=?base64?cGFnZTovLy9vbmU==?=',
      '=?base64?/////w==?=',
      '=?Base64?cGFnZTovLy9vbmU=?=',
      '=?base64?=',
      'page:///on\u00e9',
    ]) {
      expect([invalid, await read('page:///one', invalid)]).toEqual([invalid, 400]);
    }
    // A value that looks encoded is decoded.
    const lookalike = 'page:///=?base64?x?=';
    expect(await read(lookalike, lookalike)).toBe(200);
    const sentinel = '=?base64?eA==?=';
    const call = (header: string) => wire.call(sentinel, {}, { 'mcp-name': header });
    expect((await call(sentinel)).status).toBe(400);
    expect(await messageOf(await call(base64(sentinel)))).toMatchObject({ error: { code: -32602 } });
  },
);

requirement('HTTPM-25', 'integers are compared as numbers', async (version) => {
  const count = defineTool({
    name: 'count',
    description: 'Counts.',
    inputSchema: z.object({ many: z.int().meta({ 'x-mcp-header': 'Many' }) }),
    run: ({ many }) => String(many),
  });
  await using wire = await HttpWire.open(example({ tools: [count] }), version);
  const status = async (many: number, header: string) =>
    (await wire.call('count', { many }, { 'mcp-param-many': header })).status;
  for (const header of ['42', '42.0', '42.', '042']) expect(await status(42, header)).toBe(200);
  expect(await status(-7, '-7')).toBe(200);
  for (const header of ['43', '0x2a', '', '42a', '4 2', 'NaN', '42.5'])
    expect(await status(42, header)).toBe(400);
});
