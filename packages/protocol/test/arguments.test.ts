import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { definePrompt, defineServer, defineTool, jsonSchema, renameArguments } from '@mcp/protocol';
import type { Schema } from '@mcp/protocol';
import { connect, RawConnection } from '@mcp/protocol/testing';
import { initialize } from './hostile/messages.ts';

/** The text of a call of a tool with this schema, which answers with its arguments as JSON. */
async function call(inputSchema: Schema<object>, args: object): Promise<string> {
  const tool = defineTool({
    name: 'echo',
    description: 'Shows its arguments.',
    inputSchema,
    run: (given) => JSON.stringify(given),
  });
  await using client = await connect(defineServer({ name: 'a', version: '1.0.0', tools: [tool] }));
  const { content, isError } = await client.callTool('echo', args as { [name: string]: unknown });
  const [block] = content;
  const text = block?.type === 'text' ? block.text : '';
  return isError ? `ERROR ${text}` : text;
}

const search = z.object({
  path: z.string(),
  pattern: z.string().optional(),
  limit: z.int().max(100).optional(),
  ratio: z.number().optional(),
  deep: z.boolean().default(false),
  tags: z.array(z.string()).optional(),
  sizes: z.array(z.int()).optional(),
  where: z.object({ city: z.string(), zip: z.string().optional() }).optional(),
  edits: z.array(z.object({ from: z.string(), line: z.int().optional() })).optional(),
  params: z.union([z.array(z.unknown()), z.looseObject({})]).optional(),
  either: z.union([z.string(), z.number()]).optional(),
  nothing: z.string().nullish(),
});

const ok = (given: object) => JSON.stringify({ path: '.', deep: false, ...given });

describe('arguments under names that the schema does not list', () => {
  const read = defineTool({
    name: 'read',
    description: 'Shows its arguments.',
    inputSchema: z.object({ path: z.string(), lines: z.int().optional() }),
    interpret: (args) => renameArguments(args, { file_path: 'path', '-n': 'lines' }),
    run: (args) => JSON.stringify(args),
  });
  const server = defineServer({ name: 'a', version: '1.0.0', tools: [read] });
  const cases: readonly (readonly [object, string])[] = [
    [{ file_path: 'a' }, '{"path":"a"}'],
    [{ file_path: 'a', '-n': '3' }, '{"path":"a","lines":3}'],
    [{ path: 'a', file_path: 'b' }, 'Unknown argument "file_path"'],
    [{ file_path: 'a', other: 1 }, 'Unknown argument "other"'],
    [JSON.parse('{"file_path":"a","__proto__":{"lines":1}}') as object, 'Unknown argument "__proto__"'],
    [{ file_path: 1 }, 'Argument "path" must be a string'],
  ];

  test.each(cases)('%j', async (args, answer) => {
    await using client = await connect(server);
    const { content } = await client.callTool('read', args as { [name: string]: unknown });
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining(answer) as string }]);
  });

  test('tools/list does not show them', async () => {
    await using client = await connect(server);
    const [tool] = await client.listTools();
    expect(Object.keys(tool!.inputSchema['properties'] as object)).toEqual(['path', 'lines']);
  });
});

test('unknown members of an object inside the arguments are refused with the nearest names', async () => {
  const strict = z.object({
    edits: z.array(z.strictObject({ oldText: z.string(), dryRuns: z.int().optional() })),
    more: z.array(z.union([z.string(), z.strictObject({ sql: z.string() })])).optional(),
  });
  expect(await call(strict, { edits: [{ oldText: 'a' }, { oldText: 'b', dry_run: true, zzzzzz: 1 }] })).toBe(
    'ERROR Invalid arguments for echo: Unknown argument "dry_run" in edits.1, did you mean "dryRuns"? ' +
      'Unknown argument "zzzzzz" in edits.1. Accepted arguments in edits.1: "oldText", "dryRuns".',
  );
  expect(await call(strict, { edits: [], more: ['a', { sql: 'b', sqls: 'c' }] })).toBe(
    'ERROR Invalid arguments for echo: Unknown argument "sqls" in more.1, did you mean "sql"? ' +
      'Accepted arguments in more.1: "sql".',
  );
});

describe('arguments in another form with one possible reading are converted', () => {
  test.each<[string, object, object]>([
    ['null for an optional argument', { limit: null, where: null }, {}],
    ['null for an argument with a default', { deep: null }, {}],
    ['null for an optional member', { where: { city: 'Oslo', zip: null } }, { where: { city: 'Oslo' } }],
    ['decimal text for an integer', { limit: '3' }, { limit: 3 }],
    ['negative decimal text for a number', { ratio: '-0.25' }, { ratio: -0.25 }],
    ['true as text for a boolean', { deep: 'true' }, { deep: true }],
    ['false as text for a boolean', { deep: 'false' }, { deep: false }],
    ['JSON text for an array', { tags: '["a","b"]' }, { tags: ['a', 'b'] }],
    ['JSON text for an object', { where: '{"city":"Oslo"}' }, { where: { city: 'Oslo' } }],
    ['JSON text whose members need a repair', { sizes: '["1", 2]' }, { sizes: [1, 2] }],
    ['one value for an array', { tags: 'a' }, { tags: ['a'] }],
    ['one value in another form for an array', { sizes: '7' }, { sizes: [7] }],
    ['one object for an array', { edits: { from: 'a', line: '2' } }, { edits: [{ from: 'a', line: 2 }] }],
    ['JSON text for one of two types', { params: '[1]', deep: 'true' }, { deep: true, params: [1] }],
    ['the largest safe integer', { sizes: '9007199254740991' }, { sizes: [Number.MAX_SAFE_INTEGER] }],
  ])('%s', async (_, given, expected) => {
    expect(JSON.parse(await call(search, { path: '.', ...given }))).toEqual(JSON.parse(ok(expected)));
  });
});

describe('text is not converted', () => {
  test.each<[string, object]>([
    ['a number', { path: '3' }],
    ['JSON', { path: '["a"]' }],
    ['null', { path: '.', nothing: null }],
    ['a number, where a number would do as well', { path: '.', either: '3' }],
    ['a list of numbers', { path: '.', tags: ['1', 'true'] }],
  ])('that reads as %s', async (_, given) => {
    expect(JSON.parse(await call(search, given))).toEqual({ deep: false, ...given });
  });
});

describe('arguments without a single reading are errors that name the expected type', () => {
  test.each<[object, string]>([
    [{ limit: '2x' }, 'Argument "limit" must be an integer, not a string ("2x").'],
    [{ limit: '2.5' }, 'Argument "limit" must be an integer, not a string ("2.5").'],
    [{ limit: '007' }, 'Argument "limit" must be an integer, not a string ("007").'],
    [{ limit: '' }, 'Argument "limit" must be an integer, not a string ("").'],
    [
      { limit: '9007199254740993' },
      'Argument "limit" must be an integer, not a string ("9007199254740993").',
    ],
    [{ ratio: '1e400' }, 'Argument "ratio" must be a number, not a string ("1e400").'],
    [
      { ratio: '0.12345678901234567890' },
      'Argument "ratio" must be a number, not a string ("0.12345678901234567890").',
    ],
    [{ deep: 'yes' }, 'Argument "deep" must be a boolean, not a string ("yes").'],
    [{ deep: 1 }, 'Argument "deep" must be a boolean, not an integer (1).'],
    [{ where: 'Oslo' }, 'Argument "where" must be an object, not a string ("Oslo").'],
    [{ where: {} }, 'Missing argument "where.city" (string).'],
    [{ tags: [1] }, 'Argument "tags.0" must be a string, not an integer (1).'],
    [{ limit: '200' }, 'limit: Too big: expected number to be <=100.'],
    [{ limit: 200 }, 'limit: Too big: expected number to be <=100.'],
  ])('%j', async (given, message) => {
    expect(await call(search, { path: '.', ...given })).toBe(`ERROR Invalid arguments for echo: ${message}`);
  });

  test('a missing argument is named with its type', async () => {
    expect(await call(search, {})).toBe(
      'ERROR Invalid arguments for echo: Missing argument "path" (string).',
    );
    expect(await call(search, { path: null })).toBe(
      'ERROR Invalid arguments for echo: Argument "path" must be a string, not null.',
    );
  });
});

describe('unknown arguments are refused, with the accepted names and the closest one', () => {
  const three = z.object({ path: z.string(), dry_run: z.boolean().optional(), limit: z.int().optional() });
  const accepted = 'Accepted arguments: "path", "dry_run", "limit".';
  test.each<[string, object, string]>([
    [
      'one that is near',
      { path: '.', limt: 1 },
      `Unknown argument "limt", did you mean "limit"? ${accepted}`,
    ],
    [
      'another style',
      { path: '.', dryRun: true },
      `Unknown argument "dryRun", did you mean "dry_run"? ${accepted}`,
    ],
    ['one that is near none', { path: '.', text: 'x' }, `Unknown argument "text". ${accepted}`],
    [
      'one instead of another',
      { file: 'a' },
      `Missing argument "path" (string). Unknown argument "file". ${accepted}`,
    ],
    [
      'a name that every object has',
      { path: '.', constructor: 1 },
      `Unknown argument "constructor". ${accepted}`,
    ],
  ])('%s', async (_, args, message) => {
    expect(await call(three, args)).toBe(`ERROR Invalid arguments for echo: ${message}`);
  });

  test('the message is bounded for any number of unknown arguments', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`x${index}`.repeat(50), 1]),
    );
    const message = await call(three, { path: '.', ...many });
    expect(message).toContain('9990 more unknown arguments');
    expect(message.length).toBeLessThan(2_500);
  });

  test('a tool without arguments refuses every argument', async () => {
    const tool = defineTool({ name: 'now', description: 'Says the time.', run: () => 'noon' });
    await using client = await connect(defineServer({ name: 'a', version: '1.0.0', tools: [tool] }));
    expect((await client.callTool('now', { zone: 'UTC' })).content).toEqual([
      {
        type: 'text',
        text: 'Invalid arguments for now: Unknown argument "zone". No arguments are accepted.',
      },
    ]);
    expect((await client.callTool('now', {})).content).toEqual([{ type: 'text', text: 'noon' }]);
  });

  test.each<[string, Schema<object>]>([
    ['z.looseObject', z.looseObject({ path: z.string() })],
    ['z.record', z.record(z.string(), z.unknown())],
    ['a catchall', z.object({ path: z.string() }).catchall(z.string())],
    ['JSON Schema without properties', jsonSchema({ type: 'object' }, (value) => value as object)],
    [
      'JSON Schema with patternProperties',
      jsonSchema(
        { type: 'object', properties: {}, patternProperties: { '^x': {} } },
        (value) => value as object,
      ),
    ],
  ])('a schema that accepts other names takes them: %s', async (_, schema) => {
    expect(JSON.parse(await call(schema, { path: '.', x: 'y' }))).toEqual({ path: '.', x: 'y' });
  });

  test('each alternative of a union accepts its own names', async () => {
    const shape = z.discriminatedUnion('shape', [
      z.object({ shape: z.literal('circle'), radius: z.number() }),
      z.object({ shape: z.literal('square'), side: z.number() }),
    ]);
    expect(await call(shape, { shape: 'square', side: '2' })).toBe('{"shape":"square","side":2}');
    expect(await call(shape, { shape: 'square', side: 2, sides: 4 })).toBe(
      'ERROR Invalid arguments for echo: Unknown argument "sides", did you mean "side"? ' +
        'Accepted arguments: "shape", "radius", "side".',
    );
  });
});

test('the arguments of a recursive schema are repaired and refused as any other', async () => {
  interface Tree {
    name: string;
    size?: number | undefined;
    children?: Tree[] | undefined;
  }
  const tree: z.ZodType<Tree> = z.object({
    name: z.string(),
    size: z.int().optional(),
    get children() {
      return z.array(tree).optional();
    },
  });
  const args = { name: 'a', children: [{ name: 'b', size: '1', children: [{ name: 'c', size: null }] }] };
  expect(await call(tree as Schema<object>, args)).toBe(
    '{"name":"a","children":[{"name":"b","size":1,"children":[{"name":"c"}]}]}',
  );
});

test('deeply nested arguments are refused without a stack overflow', async () => {
  const tool = defineTool({ name: 'echo', description: '', inputSchema: search, run: () => '' });
  const wire = new RawConnection(defineServer({ name: 'a', version: '1.0.0', tools: [tool] }));
  await wire.ask(initialize('2025-11-25'));
  const deep = `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`;
  const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"path":1,"where":${deep},"edits":${deep},"params":${deep}}}}`;
  expect(await wire.ask(text)).toMatchObject({ id: 1, result: { isError: true } });
  await wire.end();
});

test('a prompt treats null as absent, and names unknown arguments in its error', async () => {
  const prompt = definePrompt({
    name: 'review',
    description: 'Asks for a review.',
    inputSchema: z.object({ path: z.string(), depth: z.coerce.number().optional() }),
    run: (args) => JSON.stringify(args),
  });
  await using client = await connect(defineServer({ name: 'a', version: '1.0.0', prompts: [prompt] }));
  const get = (args: object) => client.getPrompt('review', args as { [name: string]: string });
  expect((await get({ path: 'a', depth: null })).messages[0]?.content).toEqual({
    type: 'text',
    text: '{"path":"a"}',
  });
  await expect(get({ paht: 'a' })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(
      'Invalid arguments for review: Missing argument "path" (string). Unknown argument "paht", did you mean "path"? ' +
        'Accepted arguments: "path", "depth".',
    ) as string,
  });
});

test('an error that a prompt throws on purpose is an error of the request; a bug is an internal error', async () => {
  const prompts = [new Error('Nothing is staged'), new TypeError('x is undefined')].map((error, index) =>
    definePrompt({
      name: `p${index}`,
      description: '',
      run() {
        throw error;
      },
    }),
  );
  await using client = await connect(defineServer({ name: 'a', version: '1.0.0', prompts }));
  await expect(client.getPrompt('p0')).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('Nothing is staged') as string,
  });
  await expect(client.getPrompt('p1')).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('x is undefined') as string,
  });
});
