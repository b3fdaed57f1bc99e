import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  audioContent,
  defineTool,
  embeddedResource,
  imageContent,
  jsonSchema,
  resourceLink,
  textResourceContents,
  ToolError,
  toolResult,
} from '@mcp/protocol';
import { requirement } from './requirement.ts';
import { example, stamped, Wire } from './wire.ts';
import { nothing, add, server, listed } from './tool-server.ts';

/** A tool that returns `value` under `output`. */
function returning<T>(name: string, value: T, output: z.ZodType<T>) {
  return defineTool({ name, description: 'Gives a value.', outputSchema: output, run: () => value });
}

requirement('TOOL-10', 'a value that violates the output schema is never sent', async (version) => {
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

requirement(
  'TOOL-10',
  'a tool with an output schema that returns no value causes an error',
  async (version) => {
    const silent = defineTool({
      name: 'silent',
      description: 'Forgets its value.',
      outputSchema: z.object({ sum: z.number() }),
      run: () => toolResult<{ sum: number }>({ content: 'Five' }),
    });
    const wire = await Wire.open(example({ tools: [silent] }), version);
    expect(await wire.error('tools/call', { name: 'silent' })).toMatchObject({ code: -32603 });
  },
);

requirement(
  'TOOL-10',
  'structured content of a failure that does not match the output schema is sent as text',
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

requirement('TOOL-20', 'structured content of a failure reaches every client', async (version) => {
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

requirement('TOOL-11', 'the structured value is also sent as a text block', async (version) => {
  const wire = await Wire.open(server, version);
  expect(await wire.call('add', { a: 2 })).toEqual(
    stamped(version, { content: [{ type: 'text', text: '{"sum":3}' }], structuredContent: { sum: 3 } }),
  );
});

requirement(
  'TOOL-12',
  'a value that is not an object is wrapped in one, and so is its schema',
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

requirement('TOOL-12', 'references in a wrapped schema still resolve', async (version) => {
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

requirement('TOOL-13', 'a structured value may be of any type, and so may its schema', async (version) => {
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

test.each(['2024-11-05', '2025-03-26'])(
  'a link becomes text in a revision without resource links (%s)',
  async (version) => {
    const link = defineTool({
      name: 'link',
      description: 'Links.',
      run: () => resourceLink({ uri: 'file:///a.txt', name: 'a.txt', annotations: { priority: 1 } }),
    });
    const wire = await Wire.open(example({ tools: [link] }), version);
    expect(await wire.call('link')).toEqual({
      content: [{ type: 'text', text: 'a.txt file:///a.txt', annotations: { priority: 1 } }],
    });
  },
);

requirement('TOOL-25', 'a result always has content', async (version) => {
  const empty = defineTool({ name: 'empty', description: 'Has none.', run: () => [] });
  const wire = await Wire.open(example({ tools: [nothing, empty] }), version);
  expect(await wire.call('nothing')).toEqual(stamped(version, { content: [] }));
  expect(await wire.call('empty')).toEqual(stamped(version, { content: [] }));
});

requirement('TOOL-26', 'bytes are encoded as base64, with their MIME type', async (version) => {
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
