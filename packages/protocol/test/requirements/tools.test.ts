import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  audioContent,
  defineServer,
  defineTool,
  embeddedResource,
  imageContent,
  jsonSchema,
  LiveList,
  resourceLink,
  textResourceContents,
  ToolError,
  toolResult,
} from '@mcp/protocol';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { requirement } from './requirement.ts';
import { example, stamped, stateless, Wire } from './wire.ts';

const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
const nothing = defineTool({ name: 'nothing', description: 'Says nothing.', run: () => undefined });

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
  outputSchema: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
});

const fail = defineTool({
  name: 'fail',
  description: 'Fails.',
  run: () => {
    throw new Error('No such file: "missing.txt"');
  },
});

const server = example({ tools: [hello, nothing, add, fail] });

/** A tool that returns `value` under `output`. */
function returning<T>(name: string, value: T, output: z.ZodType<T>) {
  return defineTool({ name, description: 'Gives a value.', outputSchema: output, run: () => value });
}

async function listed(wire: Wire): Promise<JsonObject[]> {
  return (await wire.result('tools/list'))['tools'] as JsonObject[];
}

requirement('TOOL-01', 'a server with tools declares them', async (version) => {
  expect(await (await Wire.open(server, version)).capabilities()).toEqual({ tools: {} });
});

requirement('TOOL-02', 'a list that is empty for now is answered', async (version) => {
  const wire = await Wire.open(example({ tools: new LiveList() }), version);
  expect(await wire.result('tools/list')).toMatchObject({ resultType: 'complete', tools: [] });
});

requirement('TOOL-03', 'the list does not depend on what came before', async (version) => {
  const first = await Wire.open(server, version, { capabilities: { elicitation: {} } });
  const before = await listed(first);
  await first.call('hello');
  await first.error('tools/call', { name: 'missing' });
  const second = await Wire.open(server, version);
  expect(await listed(first)).toEqual(before);
  expect(await listed(second)).toEqual(before);
});

requirement('TOOL-04', 'the list has the order of the definition', async (version) => {
  const wire = await Wire.open(server, version);
  for (let round = 0; round < 3; round++) {
    expect((await listed(wire)).map(({ name }) => name)).toEqual(['hello', 'nothing', 'add', 'fail']);
  }
});

requirement('TOOL-05', 'a client hears that the list has changed', async (version) => {
  const tools = new LiveList([hello]);
  const wire = await Wire.open(example({ tools }), version);
  expect(await wire.capabilities()).toEqual({ tools: { listChanged: true } });
  tools.add(nothing);
  expect(await wire.heard()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  expect((await listed(wire)).map(({ name }) => name)).toEqual(['hello', 'nothing']);
});

requirement('TOOL-06', 'only a subscription hears that the list has changed', async (version) => {
  const tools = new LiveList([hello]);
  const wire = await Wire.open(example({ tools, prompts: new LiveList() }), version);
  await wire.result('server/discover');
  tools.add(nothing);
  const deaf = wire.send('subscriptions/listen', { notifications: { promptsListChanged: true } });
  await wire.heard();
  const id = wire.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await wire.heard();
  tools.remove(nothing);
  expect(await wire.heard()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
  });
  const told = (await wire.end()).map(({ method, params }) => [
    method,
    (params as JsonObject)['requestId'] ??
      ((params as JsonObject)['_meta'] as JsonObject)['io.modelcontextprotocol/subscriptionId'],
  ]);
  expect(told).toEqual([
    ['notifications/subscriptions/acknowledged', deaf],
    ['notifications/subscriptions/acknowledged', id],
    ['notifications/tools/list_changed', id],
    ['notifications/cancelled', deaf],
    ['notifications/cancelled', id],
  ]);
});

requirement(['TOOL-07', 'TOOL-08', 'JSCH-04'], 'input schemas are object schemas', async (version) => {
  const [first, , third] = await listed(await Wire.open(server, version));
  expect(first?.['inputSchema']).toEqual({ type: 'object', additionalProperties: false });
  expect(third?.['inputSchema']).toEqual({
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number', default: 1 } },
    required: ['a'],
  });
});

requirement('TOOL-07', 'a schema that describes no object is never published', (version) => {
  const wrong = () =>
    defineTool({
      name: 'wrong',
      description: version,
      inputSchema: jsonSchema({}, (value) => value),
      run: () => 'x',
    });
  expect(wrong).toThrow('The inputSchema of the tool "wrong" must be a schema of objects');
});

requirement('TOOL-09', 'a name that is none cannot be defined, nor can two that are the same', (version) => {
  const named = (name: string) => defineTool({ name, description: 'x', run: () => version });
  for (const name of ['', 'two words', 'über', 'a/b', 'a,b', 'line\n', 'x'.repeat(129)]) {
    expect(() => named(name)).toThrow(
      `Invalid name of a tool: ${JSON.stringify(name)}; expected 1 to 128 of A-Z a-z 0-9 _ - .`,
    );
  }
  for (const name of ['a', 'A', 'get_user', 'DATA-EXPORT_v2', 'admin.tools.list', '0', 'x'.repeat(128)]) {
    expect(named(name).name).toBe(name);
  }
  expect(() => example({ tools: [named('same'), named('same')] })).toThrow('Two tools are called "same"');
  expect(() => example({ tools: [named('same'), named('Same')] })).not.toThrow();
});

requirement('TOOL-10', 'a value that breaks the output schema is never sent', async (version) => {
  const liar = returning(
    'liar',
    { sum: 'many' } as unknown as { sum: number },
    z.object({ sum: z.number() }),
  );
  const wire = await Wire.open(example({ tools: [liar, add] }), version);
  expect(await wire.error('tools/call', { name: 'liar' })).toEqual({
    code: -32603,
    message:
      'The tool "liar" returned a value that does not match its outputSchema: sum: Invalid input: expected number, received string',
  });
  expect(await wire.call('add', { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } });
});

requirement('TOOL-10', 'a tool that promised a value and gives none is never silent', async (version) => {
  const silent = defineTool({
    name: 'silent',
    description: 'Forgets its value.',
    outputSchema: z.object({ sum: z.number() }),
    run: () => toolResult<{ sum: number }>({ content: 'Five' }),
  });
  const wire = await Wire.open(example({ tools: [silent] }), version);
  expect(await wire.error('tools/call', { name: 'silent' })).toMatchObject({ code: -32603 });
});

requirement(
  'TOOL-10',
  'facts about a failure that do not fit the output schema are told as text',
  async (version) => {
    const lost = defineTool({
      name: 'lost',
      description: 'Loses.',
      outputSchema: z.object({ sum: z.number() }),
      run: ({ fitting }) => {
        throw new ToolError('Lost count', { structuredContent: fitting ? { sum: 0 } : { at: 7 } });
      },
      inputSchema: z.object({ fitting: z.boolean() }),
    });
    const wire = await Wire.open(example({ tools: [lost] }), version);
    expect(await wire.call('lost', { fitting: false })).toEqual(
      stamped(version, {
        content: [
          { type: 'text', text: 'Lost count' },
          { type: 'text', text: '{"at":7}' },
        ],
        isError: true,
      }),
    );
    expect(await wire.call('lost', { fitting: true })).toEqual(
      stamped(version, {
        content: [{ type: 'text', text: 'Lost count' }],
        structuredContent: { sum: 0 },
        isError: true,
      }),
    );
  },
);

requirement('TOOL-20', 'facts about a failure reach every client', async (version) => {
  const lost = defineTool({
    name: 'lost',
    description: 'Loses.',
    run: () => {
      throw new ToolError('Lost count', { structuredContent: { at: 7 } });
    },
  });
  const wire = await Wire.open(example({ tools: [lost] }), version);
  const message = { type: 'text', text: 'Lost count' };
  expect(await wire.call('lost')).toEqual(
    stamped(
      version,
      version < '2025-06-18'
        ? { content: [message, { type: 'text', text: '{"at":7}' }], isError: true }
        : { content: [message], structuredContent: { at: 7 }, isError: true },
    ),
  );
});

requirement('TOOL-11', 'the value stands in a text block too', async (version) => {
  const wire = await Wire.open(server, version);
  expect(await wire.call('add', { a: 2 })).toEqual(
    stamped(version, { content: [{ type: 'text', text: '{"sum":3}' }], structuredContent: { sum: 3 } }),
  );
});

requirement(
  'TOOL-12',
  'a value that is no object travels inside one, as its schema says',
  async (version) => {
    const tools = [
      returning('list', [1, 2], z.array(z.number())),
      returning('text', 'word', z.string()),
      returning('none', null, z.null()),
    ];
    const wire = await Wire.open(example({ tools }), version);
    expect((await listed(wire)).map(({ outputSchema }) => outputSchema)).toEqual([
      {
        type: 'object',
        properties: { result: { type: 'array', items: { type: 'number' } } },
        required: ['result'],
      },
      { type: 'object', properties: { result: { type: 'string' } }, required: ['result'] },
      { type: 'object', properties: { result: { type: 'null' } }, required: ['result'] },
    ]);
    expect(await wire.call('list')).toEqual({
      content: [{ type: 'text', text: '[1,2]' }],
      structuredContent: { result: [1, 2] },
    });
    expect(await wire.call('text')).toMatchObject({ structuredContent: { result: 'word' } });
    expect(await wire.call('none')).toMatchObject({ structuredContent: { result: null } });
  },
);

requirement('TOOL-12', 'references in a schema still lead there from inside an object', async (version) => {
  type Tree = Tree[];
  const output = jsonSchema<Tree>(
    {
      type: 'array',
      items: { $ref: '#' },
      contains: { $ref: '#/items' },
      minContains: 0,
      maxItems: 9,
      $defs: { leaf: { type: 'array', maxItems: 0 } },
      prefixItems: [{ $ref: '#/$defs/leaf' }],
    },
    (value) => value as Tree,
  );
  const tree = defineTool({
    name: 'tree',
    description: 'Grows.',
    outputSchema: output,
    run: () => [[], [[]]],
  });
  const wire = await Wire.open(example({ tools: [tree] }), version);
  expect((await listed(wire))[0]?.['outputSchema']).toEqual({
    type: 'object',
    properties: {
      result: {
        type: 'array',
        items: { $ref: '#/properties/result' },
        contains: { $ref: '#/properties/result/items' },
        minContains: 0,
        maxItems: 9,
        prefixItems: [{ $ref: '#/$defs/leaf' }],
      },
    },
    required: ['result'],
    $defs: { leaf: { type: 'array', maxItems: 0 } },
  });
});

requirement('TOOL-13', 'a value may be anything, and its schema says so', async (version) => {
  const values = [{ a: 1 }, [1, 'two'], 'text', 7.5, true, null, [] as unknown[], 0, false, ''];
  const tools = values.map((value, index) => returning(`give_${index}`, value, z.any()));
  const wire = await Wire.open(example({ tools }), version);
  for (const [index, value] of values.entries()) {
    expect(await wire.call(`give_${index}`)).toEqual(
      stamped(version, {
        content: [{ type: 'text', text: JSON.stringify(value) }],
        structuredContent: value,
      }),
    );
  }
  expect((await listed(wire)).map(({ outputSchema }) => outputSchema)).toEqual(values.map(() => ({})));
});

requirement('TOOL-15', 'a result may link to a resource', async (version) => {
  const link = defineTool({
    name: 'link',
    description: 'Links.',
    run: () => resourceLink({ uri: 'file:///a.txt', name: 'a.txt', title: 'A', size: 3 }),
  });
  const wire = await Wire.open(example({ tools: [link] }), version);
  expect(await wire.call('link')).toEqual(
    stamped(version, {
      content: [{ type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt', title: 'A', size: 3 }],
    }),
  );
});

test.each(['2024-11-05', '2025-03-26'])('a link becomes text where there are none (%s)', async (version) => {
  const link = defineTool({
    name: 'link',
    description: 'Links.',
    run: () => resourceLink({ uri: 'file:///a.txt', name: 'a.txt', annotations: { priority: 1 } }),
  });
  const wire = await Wire.open(example({ tools: [link] }), version);
  expect(await wire.call('link')).toEqual({
    content: [{ type: 'text', text: 'a.txt file:///a.txt', annotations: { priority: 1 } }],
  });
});

requirement(
  ['TOOL-17', 'TOOL-18'],
  'a tool that does not exist is an error of the protocol',
  async (version) => {
    const wire = await Wire.open(server, version);
    for (const name of ['missing', 'Hello', '', 'constructor', '__proto__']) {
      expect(await wire.error('tools/call', { name })).toEqual({
        code: -32602,
        message: `Unknown tool: "${name}"`,
      });
    }
  },
);

requirement('TOOL-18', 'a call that is malformed is an error of the protocol', async (version) => {
  const wire = await Wire.open(server, version);
  for (const [params, message] of [
    [{}, '"name" must be a string'],
    [{ name: 7 }, '"name" must be a string'],
    [{ name: 'add', arguments: [] }, '"arguments" must be an object'],
    [{ name: 'add', arguments: null }, '"arguments" must be an object'],
    [{ name: 'add', arguments: 'a=1' }, '"arguments" must be an object'],
  ] as const) {
    expect(await wire.error('tools/call', params)).toEqual({ code: -32602, message });
  }
});

requirement(
  ['TOOL-18', 'TOOL-19', 'TOOL-21'],
  'arguments that do not fit are for the model to read, and the tool does not run',
  async (version) => {
    let runs = 0;
    const counted = defineTool({
      name: 'counted',
      description: 'Counts its runs.',
      inputSchema: z.object({ a: z.number(), b: z.object({ c: z.string() }) }),
      run: () => `${++runs}`,
    });
    const wire = await Wire.open(example({ tools: [counted] }), version);
    expect(await wire.call('counted', { a: '1x', b: {} })).toEqual(
      stamped(version, {
        content: [
          {
            type: 'text',
            text:
              'Invalid arguments for counted: Argument "a" must be a number, not a string ("1x"). ' +
              'Missing argument "b.c" (string).',
          },
        ],
        isError: true,
      }),
    );
    expect(runs).toBe(0);
  },
);

requirement('TOOL-20', 'what goes wrong in a tool is a result', async (version) => {
  const odd = defineTool({
    name: 'odd',
    description: 'Throws what is no error.',
    run: () => Promise.reject('Just text' as unknown as Error),
  });
  const wire = await Wire.open(example({ tools: [fail, odd] }), version);
  expect(await wire.call('fail')).toEqual(
    stamped(version, { content: [{ type: 'text', text: 'No such file: "missing.txt"' }], isError: true }),
  );
  expect(await wire.call('odd')).toMatchObject({ content: [{ text: 'Just text' }], isError: true });
});

requirement('TOOL-25', 'there is always content', async (version) => {
  const empty = defineTool({ name: 'empty', description: 'Has none.', run: () => [] });
  const wire = await Wire.open(example({ tools: [nothing, empty] }), version);
  expect(await wire.call('nothing')).toEqual(stamped(version, { content: [] }));
  expect(await wire.call('empty')).toEqual(stamped(version, { content: [] }));
});

requirement('TOOL-26', 'bytes travel as base64 with their type', async (version) => {
  const bytes = new Uint8Array([0, 1, 250, 251, 252, 253, 254, 255]);
  const media = defineTool({
    name: 'media',
    description: 'Shows and plays.',
    run: () => [
      imageContent(bytes.subarray(2), 'image/png', { annotations: { audience: ['user'] } }),
      audioContent(bytes, 'audio/wav'),
      embeddedResource(textResourceContents('file:///a.txt', 'A', 'text/plain')),
    ],
  });
  const wire = await Wire.open(example({ tools: [media] }), version);
  expect(await wire.call('media')).toEqual(
    stamped(version, {
      content: [
        { type: 'image', data: '+vv8/f7/', mimeType: 'image/png', annotations: { audience: ['user'] } },
        version === '2024-11-05'
          ? { type: 'text', text: '[audio, audio/wav, 8 bytes: not part of this protocol version]' }
          : { type: 'audio', data: 'AAH6+/z9/v8=', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'A' } },
      ],
    }),
  );
});

requirement('TOOL-28', 'a task parameter changes nothing, and no tool speaks of tasks', async (version) => {
  const wire = await Wire.open(server, version);
  const plain = await wire.call('hello');
  expect(await wire.result('tools/call', { name: 'hello', task: { ttl: 60_000 } })).toEqual(plain);
  for (const tool of await listed(wire)) expect(tool).not.toHaveProperty('execution');
  expect(version).toBe(stateless);
});

requirement('ICON-04', 'a title stands beside the name', async (version) => {
  const titled = defineTool({ name: 'titled', title: 'Has a Title', description: 'x', run: () => 'x' });
  const wire = await Wire.open(defineServer({ name: 'n', version: '1', tools: [titled] }), version);
  expect(await listed(wire)).toMatchObject([{ name: 'titled', title: 'Has a Title' }]);
});
