import { expect } from 'vitest';
import {
  audioContent,
  defineTool,
  imageContent,
  inputRequired,
  sampleModel,
  textContent,
} from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import type { SamplingMessage } from '../../src/define/input/input.ts';
import { questionTool, questionOf } from './question-tool.ts';
import { requirement } from './requirement.ts';
import { example, stateless, Wire } from './wire.ts';

const able = { capabilities: { sampling: {} } };
const withTools = { capabilities: { sampling: { tools: {} } } };
const hello: SamplingMessage = { role: 'user', content: textContent('Hello') };
const weather = { name: 'weather', inputSchema: { type: 'object' } };

const use = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} }) as const;
const answerTo = (toolUseId: string) =>
  ({ type: 'tool_result', toolUseId, content: [textContent('Sunny')] }) as const;

requirement('SAMP-02', 'tools are not offered to a client that does not declare them', async (version) => {
  for (const more of [{ tools: [weather] }, { toolChoice: { mode: 'none' } }] as const) {
    const tool = questionTool(sampleModel({ messages: [hello], maxTokens: 9, ...more }));
    const wire = await Wire.open(example({ tools: [tool] }), version, able);
    expect(await wire.ask('tools/call', { name: 'ask' })).toMatchObject(
      version === stateless
        ? { error: { code: -32021, data: { requiredCapabilities: { sampling: { tools: {} } } } } }
        : { result: { isError: true } },
    );
    expect(await wire.end()).toEqual([]);
    const other = await Wire.open(example({ tools: [tool] }), version, withTools);
    expect((await questionOf(other)).question).toEqual({
      method: 'sampling/createMessage',
      params: { messages: [hello], maxTokens: 9, ...more },
    });
  }
});

requirement(
  'SAMP-03',
  'the context of servers is requested only from clients that declare it',
  async (version) => {
    for (const includeContext of ['thisServer', 'allServers'] as const) {
      const tool = questionTool(sampleModel({ messages: [hello], maxTokens: 9, includeContext }));
      const plain = await Wire.open(example({ tools: [tool] }), version, able);
      expect((await questionOf(plain)).question).toEqual({
        method: 'sampling/createMessage',
        params: { messages: [hello], maxTokens: 9 },
      });
      const knowing = await Wire.open(example({ tools: [tool] }), version, {
        capabilities: { sampling: { context: {} } },
      });
      expect((await questionOf(knowing)).question).toMatchObject({ params: { includeContext } });
    }
  },
);

requirement(
  ['SAMP-04', 'SAMP-05', 'SAMP-06'],
  'messages with unmatched tool uses are not sent',
  async (version) => {
    const assistant = { role: 'assistant', content: [use('a'), use('b')] } as const;
    for (const [messages, mistake] of [
      [
        [hello, assistant, { role: 'user', content: [answerTo('a'), answerTo('b'), textContent('And?')] }],
        'A message with tool results must have the role "user" and no other content',
      ],
      [[hello, assistant], 'The tool use "a" has no result in the next message'],
      [
        [hello, assistant, { role: 'user', content: answerTo('a') }],
        'The tool use "b" has no result in the next message',
      ],
      [
        [hello, assistant, hello, { role: 'user', content: [answerTo('a'), answerTo('b')] }],
        'The tool use "a" has no result in the next message',
      ],
    ] as [SamplingMessage[], string][]) {
      const tool = questionTool(sampleModel({ messages, maxTokens: 9, tools: [weather] }));
      const wire = await Wire.open(example({ tools: [tool] }), version, withTools);
      expect(await wire.call('ask')).toMatchObject({ content: [{ text: mistake }], isError: true });
      expect(await wire.end()).toEqual([]);
    }
  },
);

requirement(
  ['SAMP-05', 'SAMP-06'],
  'a model uses tools, and continues with their results',
  async (version) => {
    const tool = defineTool({
      name: 'ask',
      description: 'Has a model use tools.',
      run(_, { inputs }) {
        const params = { maxTokens: 9, tools: [weather] };
        const { it } = inputs;
        if (!it || !('model' in it))
          return inputRequired({ it: sampleModel({ messages: [hello], ...params }) });
        const uses = [it.content].flat().filter((block) => block.type === 'tool_use');
        if (uses.length === 0) return 'Done';
        return inputRequired({
          it: sampleModel({
            messages: [
              hello,
              { role: 'assistant', content: it.content },
              { role: 'user', content: uses.map(({ id }) => answerTo(id)) },
            ],
            ...params,
          }),
        });
      },
    });
    const wire = await Wire.open(example({ tools: [tool] }), version, withTools);
    const wants = { role: 'assistant', content: [use('a'), use('b')], model: 'm', stopReason: 'toolUse' };
    const second = [hello, { content: wants.content }, { content: [answerTo('a'), answerTo('b')] }];
    if (version === stateless) {
      const { answer } = await questionOf(wire);
      expect(await answer(wants)).toMatchObject({ inputRequests: { it: { params: { messages: second } } } });
      return;
    }
    const call = wire.send('tools/call', { name: 'ask' });
    wire.raw.send({ jsonrpc: '2.0', id: (await wire.nextFromServer())['id'], result: wants });
    const { id, params } = await wire.nextFromServer();
    expect(params).toMatchObject({ messages: second });
    wire.raw.send({
      jsonrpc: '2.0',
      id,
      result: { role: 'assistant', content: textContent('Sunny'), model: 'm' },
    });
    expect(await wire.response(call)).toMatchObject({ result: { content: [{ text: 'Done' }] } });
  },
);

requirement('SAMP-07', 'repeated requests for input are limited', async (version) => {
  let asked = 0;
  const endless = defineTool({
    name: 'endless',
    description: 'Never has enough.',
    run: () => inputRequired({ it: sampleModel({ messages: [hello], maxTokens: 9 }) }),
  });
  await using client = await connect(example({ tools: [endless] }), {
    revision: version,
    sample: async () => (asked++, { role: 'assistant', content: textContent('More?'), model: 'm' }),
  });
  await expect(client.callTool('endless')).rejects.toThrow(/20 times/);
  expect(asked).toBe(20);
});

requirement('SAMP-13', 'a sampling request is part of a result', async (version) => {
  const tool = questionTool(
    sampleModel({ messages: [hello], maxTokens: 9, systemPrompt: 'Be brief', temperature: 0.5 }),
  );
  const wire = await Wire.open(example({ tools: [tool] }), version, able);
  expect(await wire.call('ask')).toMatchObject({
    resultType: 'input_required',
    inputRequests: {
      it: {
        method: 'sampling/createMessage',
        params: { messages: [hello], maxTokens: 9, systemPrompt: 'Be brief', temperature: 0.5 },
      },
    },
  });
  expect(await wire.end()).toEqual([]);
});

requirement('SAMP-14', 'messages have the content blocks of the revision', async (version) => {
  const annotations = { priority: 1, lastModified: '2025-01-12T15:00:58Z' };
  const messages: SamplingMessage[] = [
    {
      role: 'user',
      content: [textContent('One'), textContent('Two', { annotations, _meta: { 'example.com/x': 1 } })],
    },
    { role: 'assistant', content: imageContent('AAAA', 'image/png') },
    { role: 'user', content: [audioContent('AAAA', 'audio/wav')] },
  ];
  const tool = questionTool(sampleModel({ messages, maxTokens: 9 }));
  const wire = await Wire.open(example({ tools: [tool] }), version, able);
  const { question } = await questionOf(wire);
  const two =
    version < '2025-06-18'
      ? { type: 'text', text: 'Two', annotations: { priority: 1 } }
      : { type: 'text', text: 'Two', annotations, _meta: { 'example.com/x': 1 } };
  const picture = { role: 'assistant', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } };
  const sound =
    version === '2024-11-05'
      ? { type: 'text', text: '[audio, audio/wav, 3 bytes: not part of this protocol version]' }
      : { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
  expect(question['params']).toEqual({
    maxTokens: 9,
    messages:
      version >= '2025-11-25'
        ? [
            { role: 'user', content: [{ type: 'text', text: 'One' }, two] },
            picture,
            { role: 'user', content: [sound] },
          ]
        : [
            { role: 'user', content: { type: 'text', text: 'One' } },
            { role: 'user', content: two },
            picture,
            { role: 'user', content: sound },
          ],
  });
});

requirement('SAMP-14', 'tools are not offered in a revision without tools in sampling', async (version) => {
  const tool = questionTool(sampleModel({ messages: [hello], maxTokens: 9, tools: [weather] }));
  const wire = await Wire.open(example({ tools: [tool] }), version, withTools);
  if (version >= '2025-11-25') {
    expect((await questionOf(wire)).question).toMatchObject({ params: { tools: [weather] } });
    return;
  }
  expect(await wire.call('ask')).toEqual({
    content: [{ type: 'text', text: `Tools in sampling are not part of protocol version ${version}` }],
    isError: true,
  });
});
