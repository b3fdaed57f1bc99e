import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonSchema, routeBlocks, vendorNames, vendors } from '../src/index.ts';
import { plainSchema } from '../src/content.ts';

const times = Number(process.env['GENERATED_TIMES'] ?? 1);

const names = fc.oneof(
  fc.constantFrom('type', 'items', '$ref', 'required', '__proto__', 'constructor', 'a', 'имя', ''),
  fc.string({ maxLength: 80 }),
);

/** Schemas of all kinds, with keywords whose values are often wrong. */
const schemas = fc.letrec<{ schema: unknown; object: JsonSchema }>((tie) => ({
  schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), fc.string(), tie('object')),
  object: fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('object', 'array', 'string', 'integer', 'null', 'int'),
        fc.array(fc.constantFrom('object', 'array', 'null'), { maxLength: 2 }),
      ),
      properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
      required: fc.array(names, { maxLength: 3 }),
      additionalProperties: tie('schema'),
      items: tie('schema'),
      anyOf: fc.array(tie('schema'), { maxLength: 2 }),
      oneOf: fc.array(tie('schema'), { maxLength: 2 }),
      allOf: fc.array(tie('schema'), { maxLength: 2 }),
      enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 2 }),
      const: fc.jsonValue({ maxDepth: 1 }),
      $ref: fc.constantFrom('#', '#/$defs/a', '#/properties/a', '#/nowhere', '%', 'https://example.org/'),
      $defs: fc.dictionary(names, tie('schema'), { maxKeys: 2 }),
      description: fc.oneof(fc.string(), fc.integer()),
      minLength: fc.integer(),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonSchema>,
})).object;

describe.each(vendorNames)('%s', (name) => {
  const vendor = vendors[name];

  test.each([false, true])('any schema becomes JSON with a legal name, strict: %s', (strict) => {
    fc.assert(
      fc.property(schemas, names, names, (inputSchema, server, tool) => {
        const before = JSON.stringify(inputSchema);
        const found = vendor.toTools([{ server, tool: { name: tool, inputSchema } }], { strict });
        expect(JSON.stringify(inputSchema)).toBe(before);
        expect(JSON.parse(JSON.stringify(found.tools))).toHaveLength(1);
        expect([...found.names.keys()].join()).toMatch(/^[\w-]{1,64}$/);
        // The note of a schema that is not well formed names the place.
        for (const { path } of found.notes) expect(path).toMatch(/^(?:\/.*)?$/s);
      }),
      { numRuns: 100 * times },
    );
  });

  test('arguments that the own schema names are restored as they are', () => {
    fc.assert(
      fc.property(fc.dictionary(names, fc.oneof(fc.integer(), fc.string())), (args) => {
        const schema = {
          type: 'object',
          properties: Object.fromEntries(Object.keys(args).map((key) => [key, {}])),
        };
        expect(vendor.restoreArguments(args, schema)).toEqual(args);
      }),
      { numRuns: 100 * times },
    );
  });
});

test('any schema becomes a plain one', () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      expect(() => JSON.stringify(plainSchema(schema))).not.toThrow();
    }),
    { numRuns: 100 * times },
  );
});

const parts = fc.oneof(
  fc.constantFrom(
    '<use_mcp_tool>',
    '</use_mcp_tool>',
    '<access_mcp_resource>',
    '</access_mcp_resource>',
    '<server_name>s</server_name>',
    '<tool_name>t</tool_name>',
    '<uri>u</uri>',
    '<arguments>',
    '</arguments>',
    '{"a": "<',
    '"}',
    '{}',
    '\\',
    '\n',
    '<',
  ),
  fc.string({ maxLength: 5 }),
);

async function answers(pieces: readonly string[]) {
  const results = [];
  const target = {
    servers: ['s'],
    tools: () => Promise.resolve(['t']),
    callTool: (_server: string, _tool: string, args: object) =>
      Promise.resolve({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
    readResource: (_server: string, uri: string) => Promise.resolve({ contents: [{ uri, text: uri }] }),
  };
  for await (const result of routeBlocks(pieces, target)) results.push(result);
  return results;
}

test('a value that does not begin as JSON is not read as JSON from its middle on', async () => {
  const pieces = ['<use_mcp_tool><arguments><use_mcp_tool>', '{"a": "<', '    ', '</use_mcp_tool>'];
  expect(await answers(pieces)).toMatchObject([
    { text: expect.stringContaining('the closing tag </use_mcp_tool> is missing') as string },
  ]);
});

test('the answers to a text do not depend on the pieces in which it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { maxLength: 25 }), async (pieces) => {
      const whole = await answers([pieces.join('')]);
      expect(await answers(pieces)).toEqual(whole);
      expect(await answers(pieces.join('').split(''))).toEqual(whole);
    }),
    { numRuns: 1_000 * times },
  );
});
