import { expect } from 'vitest';
import { z } from 'zod';
import {
  assistantMessage,
  audioContent,
  blobResourceContents,
  definePrompt,
  elicit,
  embeddedResource,
  imageContent,
  inputRequired,
  LiveList,
  resourceLink,
  textResourceContents,
  userMessage,
} from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { example, stamped, stateless, Wire } from './wire.ts';

const review = definePrompt({
  name: 'review',
  description: 'Asks for a review.',
  inputSchema: z.object({
    path: z.string().min(1).describe('What to review'),
    depth: z.number().int().max(3).optional().describe('How thoroughly'),
  }),
  run: ({ path, depth = 1 }) => [userMessage(`Review ${path} at depth ${depth}`), assistantMessage('Gladly')],
});

const plain = definePrompt({ name: 'plain', description: 'Says hello.', run: () => 'Hello' });

const server = example({ prompts: [review, plain] });

requirement('PROM-01', 'a server with prompts declares them', async (version) => {
  expect(await (await Wire.open(server, version)).capabilities()).toEqual({ prompts: {} });
});

requirement('PROM-02', 'an empty list is answered, and is the same for all clients', async (version) => {
  const empty = await Wire.open(example({ prompts: new LiveList() }), version);
  expect(await empty.result('prompts/list')).toMatchObject({ resultType: 'complete', prompts: [] });
  const wire = await Wire.open(server, version, { capabilities: { sampling: {} } });
  const before = await wire.result('prompts/list');
  await wire.result('prompts/get', { name: 'plain' });
  expect(await wire.result('prompts/list')).toEqual(before);
  expect(await (await Wire.open(server, version)).result('prompts/list')).toEqual(before);
  expect(before['prompts']).toEqual([
    {
      name: 'review',
      description: 'Asks for a review.',
      arguments: [
        { name: 'path', description: 'What to review', required: true },
        { name: 'depth', description: 'How thoroughly' },
      ],
    },
    { name: 'plain', description: 'Says hello.' },
  ]);
});

requirement('PROM-03', 'a client that subscribes is notified when the list changes', async (version) => {
  const prompts = new LiveList([plain]);
  const wire = await Wire.open(example({ prompts }), version);
  expect(await wire.capabilities()).toEqual({ prompts: { listChanged: true } });
  const method = 'notifications/prompts/list_changed';
  if (version !== stateless) {
    prompts.add(review);
    expect(await wire.nextFromServer()).toEqual({ jsonrpc: '2.0', method });
    return;
  }
  prompts.add(review);
  const id = wire.send('subscriptions/listen', { notifications: { promptsListChanged: true } });
  expect(await wire.nextFromServer()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
  prompts.remove(review);
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  expect(await wire.nextFromServer()).toEqual({ jsonrpc: '2.0', method, params: { _meta } });
});

requirement(
  ['PROM-04', 'PROM-05', 'PROM-07'],
  'an unknown name, a missing argument and a wrong argument are invalid, and the prompt does not run',
  async (version) => {
    const wire = await Wire.open(server, version);
    for (const [params, message] of [
      [{}, '"name" must be a string'],
      [{ name: 'missing' }, 'Unknown prompt: "missing"'],
      [{ name: '__proto__' }, 'Unknown prompt: "__proto__"'],
      [{ name: 'review' }, 'Invalid arguments for review: Missing argument "path" (string).'],
      [
        { name: 'review', arguments: { file: 'a' } },
        'Invalid arguments for review: Missing argument "path" (string). Unknown argument "file". ' +
          'Accepted arguments: "path", "depth".',
      ],
      [
        { name: 'review', arguments: { path: '' } },
        'Invalid arguments for review: path: Too small: expected string to have >=1 characters.',
      ],
      [
        { name: 'review', arguments: { path: 'a', depth: '9' } },
        'Invalid arguments for review: depth: Too big: expected number to be <=3.',
      ],
    ] as const) {
      expect(await wire.error('prompts/get', params)).toEqual({ code: -32602, message });
    }
  },
);

requirement('PROM-04', 'a bug in a prompt is an internal error', async (version) => {
  const broken = definePrompt({
    name: 'broken',
    description: 'Fails.',
    run: () => Promise.reject(new TypeError('Out of words')),
  });
  const wire = await Wire.open(example({ prompts: [broken] }), version);
  expect(await wire.error('prompts/get', { name: 'broken' })).toEqual({
    code: -32603,
    message: 'Out of words',
  });
});

requirement(
  ['PROM-05', 'PROM-10'],
  'arguments are strings, which the schema may convert',
  async (version) => {
    const wire = await Wire.open(server, version);
    for (const [args, message] of [
      [{ path: 7 }, '"arguments.path" must be a string'],
      [{ path: 'a', depth: 2 }, '"arguments.depth" must be a string'],
      [{ path: null }, 'Invalid arguments for review: Missing argument "path" (string).'],
      [['a'], '"arguments" must be an object'],
    ] as const) {
      expect(await wire.error('prompts/get', { name: 'review', arguments: args })).toEqual({
        code: -32602,
        message,
      });
    }
    expect(
      await wire.result('prompts/get', { name: 'review', arguments: { path: 'a', depth: '2' } }),
    ).toEqual(
      stamped(version, {
        description: 'Asks for a review.',
        messages: [
          { role: 'user', content: { type: 'text', text: 'Review a at depth 2' } },
          { role: 'assistant', content: { type: 'text', text: 'Gladly' } },
        ],
      }),
    );
  },
);

requirement(
  ['PROM-08', 'PROM-09'],
  'media and resources are encoded, with their MIME types',
  async (version) => {
    const bytes = new Uint8Array([255, 254, 253]);
    const rich = definePrompt({
      name: 'rich',
      description: 'Shows things.',
      run: () => [
        userMessage(imageContent(bytes, 'image/png')),
        userMessage(audioContent(bytes, 'audio/wav')),
        userMessage(embeddedResource(textResourceContents('file:///a.txt', 'A', 'text/plain'))),
        userMessage(
          embeddedResource(blobResourceContents('file:///a.png', bytes, 'image/png'), {
            annotations: { priority: 1 },
          }),
        ),
      ],
    });
    const wire = await Wire.open(example({ prompts: [rich] }), version);
    expect((await wire.result('prompts/get', { name: 'rich' }))['messages']).toEqual(
      [
        { type: 'image', data: '//79', mimeType: 'image/png' },
        version === '2024-11-05'
          ? { type: 'text', text: '[audio, audio/wav, 3 bytes: not part of this protocol version]' }
          : { type: 'audio', data: '//79', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'A' } },
        {
          type: 'resource',
          resource: { uri: 'file:///a.png', mimeType: 'image/png', blob: '//79' },
          annotations: { priority: 1 },
        },
      ].map((content) => ({ role: 'user', content })),
    );
  },
);

requirement('PROM-11', 'a prompt may request input', async (version) => {
  const curious = definePrompt({
    name: 'curious',
    description: 'Asks first.',
    run: (_, { inputs }) =>
      inputs['mood'] ? 'Thank you' : inputRequired({ mood: elicit('How are you?', z.object({})) }),
  });
  const wire = await Wire.open(example({ prompts: [curious] }), version, {
    capabilities: { elicitation: {} },
  });
  expect(await wire.result('prompts/get', { name: 'curious' })).toMatchObject({
    resultType: 'input_required',
    inputRequests: { mood: { method: 'elicitation/create', params: { message: 'How are you?' } } },
  });
  const inputResponses = { mood: { action: 'accept', content: {} } };
  expect(await wire.result('prompts/get', { name: 'curious', inputResponses })).toMatchObject({
    resultType: 'complete',
    messages: [{ content: { text: 'Thank you' } }],
  });
});

requirement('PROM-12', 'a message may link to a resource', async (version) => {
  const linking = definePrompt({
    name: 'linking',
    description: 'Links.',
    run: () => [userMessage(resourceLink({ uri: 'file:///a.txt', name: 'a.txt', mimeType: 'text/plain' }))],
  });
  const wire = await Wire.open(example({ prompts: [linking] }), version);
  expect((await wire.result('prompts/get', { name: 'linking' }))['messages']).toEqual([
    {
      role: 'user',
      content: { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt', mimeType: 'text/plain' },
    },
  ]);
});
