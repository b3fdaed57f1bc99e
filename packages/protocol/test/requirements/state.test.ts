import { expect, test } from 'vitest';
import { z } from 'zod';
import { acceptedContent, defineTool, elicit, inputRequired } from '@mcp/protocol';
import { httpHandler } from '@mcp/protocol/http';
import { requirement } from './requirement.ts';
import { example, metaOf, stateless, Wire } from './wire.ts';

const form = z.object({ name: z.string() });

const greet = defineTool({
  name: 'greet',
  description: 'Asks who is there.',
  async run(_, { inputs, state, log }) {
    log('info', 'Greeting');
    const answer = await acceptedContent(inputs['who'], form);
    return answer
      ? `Hello ${answer.name}, round ${JSON.stringify(state)}`
      : inputRequired({ who: elicit('Who?', form) }, 2);
  },
});

const hello = defineTool({
  name: 'hello',
  description: 'Greets.',
  run: (_, { log }) => (log('info', 'Greeting'), 'Hello'),
});

const speaker = { capabilities: { elicitation: {} } };

requirement('STATE-01', 'a log level of an earlier request does not count', async (version) => {
  const wire = await Wire.open(example({ tools: [hello], logging: true }), '2025-11-25', {
    logLevel: 'debug',
  });
  const call = (id: number, logLevel?: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'hello', _meta: metaOf(logLevel ? { logLevel } : {}) },
  });
  wire.raw.send(call(1, 'debug'));
  expect(await wire.response(1)).toMatchObject({ result: { resultType: 'complete' } });
  expect(wire.fromServer).toHaveLength(1);
  wire.raw.send(call(2));
  expect(await wire.response(2)).toMatchObject({ result: { resultType: 'complete' } });
  expect(wire.fromServer).toHaveLength(1);
  expect(version).toBe(stateless);
});

requirement('STATE-02', 'requests of several conversations may alternate', async (version) => {
  const doors = new Map<string, () => void>();
  const wait = defineTool({
    name: 'wait',
    description: 'Waits for its name to be called.',
    inputSchema: z.object({ name: z.string() }),
    run: ({ name }) => new Promise<string>((resolve) => doors.set(name, () => resolve(name))),
  });
  const open = defineTool({
    name: 'open',
    description: 'Calls a name.',
    inputSchema: z.object({ name: z.string() }),
    run: ({ name }) => doors.get(name)?.(),
  });
  const wire = await Wire.open(example({ tools: [wait, open] }), version);
  const ids = ['a', 'b', 'c'].map((name) => wire.send('tools/call', { name: 'wait', arguments: { name } }));
  for (const name of ['c', 'a', 'b']) {
    await wire.call('open', { name });
    expect(await wire.response(ids['abc'.indexOf(name)])).toMatchObject({
      result: { content: [{ text: name }] },
    });
  }
});

requirement(
  ['STATE-03', 'STATE-05'],
  'a request continues on another connection with the state that the client sends',
  async (version) => {
    const server = example({ tools: [greet] });
    const first = await Wire.open(server, version, speaker);
    const { requestState } = await first.call('greet');
    await first.end();
    const second = await Wire.open(server, version, speaker);
    expect(
      await second.result('tools/call', {
        name: 'greet',
        arguments: {},
        requestState,
        inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
      }),
    ).toMatchObject({ content: [{ text: 'Hello Ada, round 2' }] });
  },
);

requirement('STATE-03', 'a request continues in another process with the same secret', async (version) => {
  const replica = () => example({ tools: [greet], stateKey: new Uint8Array(32).fill(7) });
  const first = await Wire.open(replica(), version, speaker);
  const { requestState } = await first.call('greet');
  const second = await Wire.open(replica(), version, speaker);
  expect(
    await second.result('tools/call', {
      name: 'greet',
      arguments: {},
      requestState,
      inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
    }),
  ).toMatchObject({ content: [{ text: 'Hello Ada, round 2' }] });
});

const [older, newer] = [7, 8].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];

/** The values of `stateKey` while a key is replaced, in their order. */
const replacing = [older, [older, newer], [newer, older], newer];

requirement('STATE-03', 'a request continues while the secret is replaced', async (version) => {
  const answer = { who: { action: 'accept', content: { name: 'Ada' } } };
  const at = (stateKey: Uint8Array | readonly Uint8Array[]) =>
    Wire.open(example({ tools: [greet], stateKey }), version, speaker);
  for (const [step, stateKey] of replacing.entries()) {
    const first = await at(stateKey);
    const { requestState } = await first.call('greet');
    const again = { name: 'greet', arguments: {}, requestState, inputResponses: answer };
    // Replicas of two successive steps run at the same time.
    for (const near of replacing.slice(Math.max(0, step - 1), step + 2)) {
      const second = await at(near);
      expect(await second.result('tools/call', again)).toMatchObject({
        content: [{ text: 'Hello Ada, round 2' }],
      });
    }
    const other = await at(new Uint8Array(32).fill(9));
    expect(await other.error('tools/call', again)).toMatchObject({ code: -32602 });
  }
});

test('a secret without 32 bytes is refused', () => {
  const serve = (stateKey: Uint8Array | readonly Uint8Array[]) => () => httpHandler(example({ stateKey }));
  expect(serve(new Uint8Array(31))).toThrow('Invalid stateKey: 31 bytes; expected 32');
  expect(serve([older, new Uint8Array(33)])).toThrow('Invalid stateKey: 33 bytes; expected 32');
  expect(serve([])).toThrow('Invalid stateKey: an empty list; expected a key of 32 bytes');
});

requirement('STATE-05', 'the server keeps no state for a client that sends none back', async (version) => {
  const wire = await Wire.open(example({ tools: [greet] }), version, speaker);
  expect(await wire.call('greet')).toHaveProperty('resultType', 'input_required');
  expect(await wire.call('greet')).toHaveProperty('resultType', 'input_required');
});
