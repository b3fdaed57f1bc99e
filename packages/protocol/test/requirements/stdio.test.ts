import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { z } from 'zod';
import { defineTool } from '@mcp/protocol';
import { serve, StreamChannel } from '@mcp/protocol/stdio';
import { Program } from './program.ts';
import { requirement } from './requirement.ts';
import { example, Wire } from './wire.ts';

const fixture = 'printing-server.ts';
const content = (text: string) => [{ type: 'text', text }];

requirement(['STDIO-01', 'RPC-30'], 'every message is one line of UTF-8', async (version) => {
  const program = await Program.start(fixture, version);
  const text = 'one\ntwo\r\nthree\r\u2028four\u2029 \u0085 東京 🦔';
  expect(
    await program.ask(program.request(1, 'tools/call', { name: 'echo', arguments: { text } })),
  ).toMatchObject({ id: 1, result: { content: content(text) } });
  expect(await program.end()).toBe(0);
  for (const line of program.stdout.trimEnd().split('\n')) {
    expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
    expect(line).not.toContain('\r');
  }
  expect(program.stdout.endsWith('}\n')).toBe(true);
});

requirement('STDIO-01', 'a message may arrive in pieces, and several may arrive at once', async (version) => {
  const program = await Program.start(fixture, version);
  const bytes = Buffer.from(
    [1, 2, 3]
      .map((id) => program.request(id, 'tools/call', { name: 'echo', arguments: { text: '🦔' } }))
      .map((request) => `${JSON.stringify(request)}\n`)
      .join(''),
  );
  const hedgehog = bytes.indexOf('🦔');
  for (const piece of [bytes.subarray(0, hedgehog + 2), bytes.subarray(hedgehog + 2)]) {
    await new Promise((written) => program.child.stdin.write(piece, written));
  }
  for (const id of [1, 2, 3]) {
    expect(await program.next()).toMatchObject({ id, result: { content: content('🦔') } });
  }
  await program.end();
});

requirement(
  'RPC-30',
  'a line that is not UTF-8 gets an error, and the next message is read',
  async (version) => {
    const program = await Program.start(fixture, version);
    program.child.stdin.write(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d, 0x0a]));
    expect(await program.next()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32700, message: 'A message must be UTF-8' },
    });
    expect(await program.ask(program.request(1, 'tools/list'))).toHaveProperty('id', 1);
    await program.end();
  },
);

requirement(
  ['STDIO-02', 'STDIO-04'],
  'output that a tool prints to stdout goes to stderr',
  async (version) => {
    const program = await Program.start(fixture, version);
    expect(await program.ask(program.request(1, 'tools/call', { name: 'chat' }))).toMatchObject({
      id: 1,
      result: { content: content('Said a lot') },
    });
    await program.end();
    expect(program.stderr).toBe(
      'Grüezi from console.log\nHalf a line on stdout and the rest\nGrüezi on stderr\n',
    );
    for (const line of program.stdout.trimEnd().split('\n'))
      expect(line).toMatch(/^\{"jsonrpc":"2\.0",.*\}$/);
  },
);

requirement('STDIO-06', 'an elicitation is never sent as a request', async (version) => {
  const program = await Program.start(fixture, version, { capabilities: { elicitation: {} } });
  expect(await program.ask(program.request(1, 'tools/call', { name: 'ask' }))).toMatchObject({
    id: 1,
    result: { resultType: 'input_required' },
  });
  await program.end();
  expect(program.stdout.trimEnd().split('\n')).toHaveLength(1);
});

requirement('STDIO-12', 'the end of stdin ends the process after the running requests', async (version) => {
  const program = await Program.start(fixture, version);
  program.send(program.request(1, 'tools/call', { name: 'echo', arguments: { text: 'last' } }));
  program.send(program.request(2, 'subscriptions/listen', { notifications: {} }));
  expect(await program.end()).toBe(0);
  const messages = program.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(messages).toMatchObject([
    { id: 1, result: { content: content('last') } },
    { method: 'notifications/subscriptions/acknowledged' },
    { id: 2, result: { resultType: 'complete' } },
    { method: 'notifications/cancelled', params: { requestId: 2 } },
  ]);
  expect(program.stderr).toBe('');
});

requirement(
  ['STDIO-15', 'STDIO-18'],
  'any pair of byte streams carries the same messages',
  async (version) => {
    const echo = defineTool({
      name: 'echo',
      description: 'Says it again.',
      inputSchema: z.object({ text: z.string() }),
      run: ({ text }) => text,
    });
    const server = example({ tools: [echo] });
    const memory = await Wire.open(server, version);
    const call = memory.request('tools/call', { name: 'echo', arguments: { text: 'one\ntwo' } });
    const expected = [...memory.raw.received, await memory.raw.ask(call)];

    const input = new PassThrough();
    const output = new PassThrough();
    const served = serve(server, new StreamChannel(input, output));
    const lines: unknown[] = [];
    const read = (async () => {
      for await (const line of createInterface({ input: output })) lines.push(JSON.parse(line));
    })();
    for (const message of memory.opening) input.write(`${JSON.stringify(message)}\n`);
    input.end(JSON.stringify(call));
    await served;
    await read;
    expect(lines).toEqual(expected);
  },
);
