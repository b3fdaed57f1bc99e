import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { defineServer, defineTool } from '@mcp/protocol';
import { serve, StreamChannel } from '@mcp/protocol/stdio';

test('a message contains no unescaped U+2028 or U+2029, which some readers treat as line breaks', async () => {
  const text = 'one\u2028two\u2029three\u0085four\r\n';
  const say = defineTool({ name: 'say', description: 'Says it.', run: () => text });
  const input = new PassThrough();
  const output = new PassThrough();
  void serve(defineServer({ name: 'a', version: '1.0.0', tools: [say] }), new StreamChannel(input, output));
  const lines = createInterface(output)[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object) => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return JSON.parse(String((await lines.next()).value));
  };
  const clientInfo = { name: 'a', version: '1.0.0' };
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const { result } = await ask(2, 'tools/call', { name: 'say', arguments: {} });
  expect(result).toEqual({ content: [{ type: 'text', text }] });
  input.end();
});
