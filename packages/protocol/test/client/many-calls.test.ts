import { Client } from '@mcp/protocol/client';
import { expect, test } from 'vitest';
import { statelessScript } from './scripted-server.ts';

/** Stops reading while its responses are not read, as servers of this library do. */
const echo = `
const { stdin, stdout } = process;
stdout.on('drain', () => stdin.resume());
on['tools/call'] = ({ arguments: { text } }) => {
  if (stdout.writableNeedDrain) stdin.pause();
  return { content: [{ type: 'text', text }] };
};`;

test('calls at once are answered when arguments and results exceed all buffers between client and server', async () => {
  await using client = await Client.connect(statelessScript(echo));
  const texts = Array.from({ length: 200 }, (_, index) => `${index} ${'x'.repeat(20_000)}`);
  const results = await Promise.all(texts.map((text) => client.callTool('echo', { text })));
  expect(results.map(({ content }) => content)).toEqual(texts.map((text) => [{ type: 'text', text }]));
});
