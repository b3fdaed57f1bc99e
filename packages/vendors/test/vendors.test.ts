import { describe, expect, test } from 'vitest';
import { type CallOutcome, type ServerTool, vendors } from '../src/index.ts';

const tool = (
  server: string,
  name: string,
  inputSchema: object = { type: 'object', properties: {} },
): ServerTool => ({
  server,
  tool: { name, description: `Does ${name}`, inputSchema: inputSchema as ServerTool['tool']['inputSchema'] },
});

const search = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1 },
    limit: { type: 'integer', default: 10 },
    mode: { oneOf: [{ const: 'fast' }, { const: 'exact' }] },
    filter: { $ref: '#/$defs/filter' },
  },
  required: ['query'],
  additionalProperties: false,
  $defs: {
    filter: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
  },
};

describe('names', () => {
  const namesOf = (tools: ServerTool[], vendor: keyof typeof vendors = 'openai') =>
    [...vendors[vendor].toTools(tools).names.entries()].map(
      ([
        name,
        {
          server,
          tool: { name: own },
        },
      ]) => [name, server, own],
    );

  test('a name that is legal and unambiguous is server__tool', () => {
    expect(namesOf([tool('files', 'read_file')])).toEqual([['files__read_file', 'files', 'read_file']]);
  });

  test('an illegal, long or ambiguous name ends in a hash that does not depend on other tools', () => {
    const odd = [
      tool('a__b', 'c'),
      tool('a', 'b__c'),
      tool('files', 'x'.repeat(70)),
      tool('s', 'a.b/c'),
      tool('1', 'é'),
    ];
    const names = namesOf(odd);
    expect(new Set(names.map(([name]) => name)).size).toBe(odd.length);
    for (const [name] of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    for (const each of odd) expect(names).toContainEqual(namesOf([each])[0]);
    expect(names.map(([name]) => name)).toContain('a__b__c');
    expect(namesOf([tool('1', 'x')], 'gemini')[0]![0]).toMatch(/^_1__x_[0-9a-f]{8}$/);
  });

  test('a thousand tools of one name become one, with a note for each that is left out', () => {
    const { names, notes } = vendors.openai.toTools(Array.from({ length: 1_000 }, () => tool('s', 't')));
    expect([names.size, notes.length]).toEqual([1, 999]);
  });

  test('more tools than OpenAI takes in a request are a note', () => {
    const many = Array.from({ length: 130 }, (_, index) => tool('s', `t${index}`));
    expect(vendors.openai.toTools(many).notes).toEqual([
      {
        server: 's',
        tool: 't128',
        path: '',
        message: expect.stringContaining(
          'at most 128 tools in a request; of the 130, this tool and those after it are too many',
        ),
      },
    ]);
  });
});

describe('schemas', () => {
  test('without strict, OpenAI and Anthropic get the schema unchanged', () => {
    expect(vendors.openai.toTools([tool('s', 't', search)])).toMatchObject({
      tools: [
        {
          type: 'function',
          function: { name: 's__t', description: 'Does t', parameters: search, strict: false },
        },
      ],
      notes: [],
    });
    expect(vendors['openai-responses'].toTools([tool('s', 't', search)]).tools).toEqual([
      { type: 'function', name: 's__t', description: 'Does t', parameters: search, strict: false },
    ]);
    expect(vendors.anthropic.toTools([tool('s', 't', search)])).toMatchObject({
      tools: [{ name: 's__t', description: 'Does t', input_schema: search }],
      notes: [],
    });
  });

  test('OpenAI strict closes objects, requires every property and allows null for the optional ones', () => {
    const { tools, notes } = vendors['openai-responses'].toTools([tool('s', 't', search)], { strict: true });
    expect(tools).toEqual([
      {
        type: 'function',
        name: 's__t',
        description: 'Does t',
        strict: true,
        parameters: {
          type: 'object',
          properties: {
            query: { type: 'string', minLength: 1 },
            limit: { type: ['integer', 'null'] },
            mode: { anyOf: [{ anyOf: [{ const: 'fast' }, { const: 'exact' }] }, { type: 'null' }] },
            filter: {
              type: ['object', 'null'],
              properties: { name: { type: ['string', 'null'] } },
              required: ['name'],
              additionalProperties: false,
            },
          },
          required: ['query', 'limit', 'mode', 'filter'],
          additionalProperties: false,
        },
      },
    ]);
    expect(notes.map(({ path, message }) => `${path} ${message}`)).toEqual([
      '/properties/limit Dropped "default": strict mode refuses it',
      '/properties/mode Replaced "oneOf" by "anyOf"',
    ]);
  });

  test('the nulls of a strict call are left out again where the tool does not take them', () => {
    const args = { query: 'x', limit: null, mode: null, filter: { name: null } };
    const { openai } = vendors;
    expect(openai.restoreArguments(args, search)).toEqual({ query: 'x', filter: {} });
    const nullable = { type: 'object', properties: { a: { type: ['string', 'null'] }, b: {} } };
    expect(openai.restoreArguments({ a: null, b: null }, nullable)).toEqual({ a: null, b: null });
  });

  test('a schema that strict mode cannot express stays as it is, with a note', () => {
    const map = {
      type: 'object',
      properties: { env: { type: 'object', additionalProperties: { type: 'string' } } },
    };
    const { tools, notes } = vendors.openai.toTools([tool('s', 't', map)], { strict: true });
    expect(tools).toMatchObject([{ function: { strict: false, parameters: map } }]);
    expect(notes).toContainEqual({
      server: 's',
      tool: 't',
      path: '/properties/env',
      message: 'Not strict: "additionalProperties" allows properties that the schema does not list',
    });
  });

  test('Gemini gets inlined references, enums for constants, and bounds in the description', () => {
    const { tools, notes } = vendors.gemini.toTools([tool('s', 't', search)]);
    expect(tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 's__t',
            description: 'Does t',
            parametersJsonSchema: {
              type: 'object',
              properties: {
                query: { type: 'string', description: 'minLength: 1' },
                limit: { type: 'integer', description: 'default: 10' },
                mode: { anyOf: [{ enum: ['fast'] }, { enum: ['exact'] }] },
                filter: {
                  type: 'object',
                  properties: { name: { type: 'string' } },
                  additionalProperties: false,
                },
              },
              required: ['query'],
              additionalProperties: false,
            },
          },
        ],
      },
    ]);
    expect(notes.map(({ path }) => path)).toEqual(['/properties/query', '/properties/limit']);
    expect(vendors.gemini.toTools([]).tools).toEqual([]);
  });

  test('recursive references and references that grow without end are cut, with a note', () => {
    const recursive = { type: 'object', properties: { child: { $ref: '#' } } };
    expect(vendors.gemini.toTools([tool('s', 't', recursive)]).notes).not.toEqual([]);
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `d${index}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } },
        },
      ]),
    );
    const bomb = { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs };
    const { tools, notes } = vendors.gemini.toTools([tool('s', 't', bomb)]);
    expect(JSON.stringify(tools).length).toBeLessThan(10_000_000);
    expect(notes.some(({ message }) => message.includes('cannot inline'))).toBe(true);
  });

  test('a union at the root becomes one object for Anthropic', () => {
    const union = {
      type: 'object',
      anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }],
    };
    expect(vendors.anthropic.toTools([tool('s', 't', union)]).tools).toMatchObject([
      { input_schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } } },
    ]);
  });
});

const messages = {
  openai: {
    role: 'assistant',
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 's__t', arguments: '{"a":1}' } },
      { id: 'c2', type: 'function', function: { name: 's__u', arguments: '{"a":' } },
    ],
  },
  'openai-responses': {
    output: [
      { type: 'reasoning', summary: [] },
      { type: 'function_call', call_id: 'c1', name: 's__t', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'c2', name: 's__u', arguments: '{"a":' },
    ],
  },
  anthropic: {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', id: 'c1', name: 's__t', input: { a: 1 } },
      { type: 'tool_use', id: 'c2', name: 's__u', input: 'no' },
    ],
  },
  gemini: {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: 'I will look.' },
            { functionCall: { id: 'c1', name: 's__t', args: { a: 1 } } },
            { functionCall: { id: 'c2', name: 's__u', args: 'no' } },
          ],
        },
      },
    ],
  },
} as const;

const image = { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' };

describe.each(Object.keys(messages) as (keyof typeof messages)[])('%s messages', (name) => {
  const vendor = vendors[name];

  test('every call of a message is read, and unreadable arguments are reported with it', () => {
    expect(vendor.readCalls(messages[name])).toEqual([
      { id: 'c1', name: 's__t', args: { a: 1 } },
      { id: 'c2', name: 's__u', args: {}, invalid: expect.stringContaining('not') },
    ]);
  });

  test('an argument may be named "invalid"', () => {
    const message = JSON.parse(
      JSON.stringify(messages[name])
        .replaceAll(String.raw`\"a\"`, String.raw`\"invalid\"`)
        .replaceAll('"a"', '"invalid"'),
    );
    expect(vendor.readCalls(message)[0]).toEqual({ id: 'c1', name: 's__t', args: { invalid: 1 } });
  });

  test('what is no message is an error that says what was expected', () => {
    for (const wrong of [null, 'text', 42, {}]) expect(() => vendor.readCalls(wrong)).toThrow(/^Expected /);
  });

  test('results answer every call, images included', () => {
    const [first, second] = vendor.readCalls(messages[name]);
    const outcomes: CallOutcome[] = [
      { call: first!, content: [{ type: 'text', text: 'done' }, image], isError: false },
      { call: second!, content: [{ type: 'text', text: 'wrong' }], isError: true },
    ];
    expect(vendor.toResults(outcomes)).toEqual(results[name]);
  });
});

const url = 'data:image/png;base64,aGVsbG8=';

const results = {
  openai: [
    { role: 'tool', tool_call_id: 'c1', content: 'done\n\n[image/png, 5 bytes]' },
    { role: 'tool', tool_call_id: 'c2', content: 'Error: wrong' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Image in the result of s__t (c1):' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ],
  'openai-responses': [
    {
      type: 'function_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text: 'done' },
        { type: 'input_image', detail: 'auto', image_url: url },
      ],
    },
    {
      type: 'function_call_output',
      call_id: 'c2',
      output: [
        { type: 'input_text', text: 'Error:' },
        { type: 'input_text', text: 'wrong' },
      ],
    },
  ],
  anthropic: [
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          content: [
            { type: 'text', text: 'done' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } },
          ],
        },
        {
          type: 'tool_result',
          tool_use_id: 'c2',
          content: [{ type: 'text', text: 'wrong' }],
          is_error: true,
        },
      ],
    },
  ],
  gemini: [
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id: 'c1',
            name: 's__t',
            response: { output: 'done\n\n[image/png, 5 bytes]' },
            parts: [{ inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } }],
          },
        },
        { functionResponse: { id: 'c2', name: 's__u', response: { error: 'wrong' } } },
      ],
    },
  ],
};
