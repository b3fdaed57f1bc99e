import type { Client } from '@mcp/protocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GatewayProgram, textOf } from './gateway-program.ts';

/** A server that writes each response by itself, as those of the official SDK do. */
const server = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const serverInfo = { name: 'echo', version: '1' };
const results = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
  'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: params.arguments.text }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) send({ id, result: results[method](params) });
});
`;

const echo = { command: process.execPath, args: ['-e', server] };
const gateway = new GatewayProgram({ busy: echo, quiet: echo });
let client: Client;
beforeAll(async () => {
  client = await gateway.stdio({ revision: '2025-11-25' });
  await client.listTools();
});
afterAll(() => gateway[Symbol.asyncDispose]());

test('10,000 calls at the same time get their own results, in the order of the server', async () => {
  const texts = Array.from({ length: 10_000 }, (_, index) => `text ${index}`);
  const received: string[] = [];
  const call = async (text: string) => {
    const result = textOf(await client.callTool('busy__echo', { text }));
    received.push(result);
    return result;
  };
  expect(await Promise.all(texts.map(call))).toEqual(texts);
  expect(received).toEqual(texts);
});

test('pings, and calls of another server, are answered while a server always has 64 calls', async () => {
  let answered = false;
  let calls = 0;
  const work = async () => {
    for (; !answered; calls++) await client.callTool('busy__echo', { text: 'busy' });
  };
  const busy = Array.from({ length: 64 }, work);
  while (calls < 1_000) await client.ping();
  for (let count = 0; count < 20; count++)
    expect(textOf(await client.callTool('quiet__echo', { text: `${count}` }))).toBe(`${count}`);
  answered = true;
  await Promise.all(busy);
});
