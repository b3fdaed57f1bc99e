import { describe, expect, test } from 'vitest';
import { type JsonSchema, type VendorName, vendorNames, vendors } from '../src/index.ts';

// Schemas with which a vendor refuses the whole request, not the one tool.

function converted(vendor: VendorName, inputSchema: JsonSchema, strict = false) {
  const { tools, notes } = vendors[vendor].toTools([{ server: 's', tool: { name: 't', inputSchema } }], {
    strict,
  });
  const [first] = tools as readonly { readonly [key: string]: unknown }[];
  const [declared] = (first!['functionDeclarations'] ?? [first!['function'] ?? first]) as Record<
    string,
    unknown
  >[];
  const schema = declared!['parameters'] ?? declared!['input_schema'] ?? declared!['parametersJsonSchema'];
  return {
    schema,
    strict: declared!['strict'],
    notes: notes.map(({ path, message }) => `${path} ${message}`),
  };
}

const text = { type: 'string' };
const kind = (value: string) => ({ const: value });

describe.each(['openai', 'anthropic'] as const)('%s: a root that is a union', (vendor) => {
  test('has all values that a property has in any alternative, and what all alternatives require', () => {
    const { schema, notes } = converted(vendor, {
      type: 'object',
      properties: { id: text },
      required: ['id'],
      oneOf: [
        { properties: { kind: kind('a'), size: { type: 'number' } }, required: ['kind', 'size'] },
        { properties: { kind: kind('b') }, required: ['kind'] },
      ],
    });
    expect(schema).toEqual({
      type: 'object',
      properties: { id: text, kind: { anyOf: [kind('a'), kind('b')] }, size: { type: 'number' } },
      required: ['id', 'kind'],
    });
    expect(notes).toEqual([
      ' Replaced "oneOf" at the root by one object with the properties of all alternatives',
    ]);
  });

  test('has the properties behind references, of nested unions and of every union', () => {
    const $defs = { A: { properties: { a: text } }, B: { anyOf: [{ properties: { b: text } }] } };
    const { schema } = converted(vendor, {
      type: 'object',
      anyOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }, { $ref: '#' }],
      allOf: [{ properties: { c: text }, required: ['c'] }],
      $defs,
    });
    expect(schema).toEqual({
      type: 'object',
      properties: { c: text, a: text, b: text },
      required: ['c'],
      $defs,
    });
  });
});

test.each(vendorNames)('%s: references that multiply take bounded time, with a note', (vendor) => {
  const again = Array.from({ length: 30 }, () => ({ $ref: '#' }));
  const inputSchema = { type: 'object', properties: { a: text }, anyOf: again, oneOf: again, allOf: again };
  const { schema, notes } = converted(vendor, inputSchema);
  expect(schema).toMatchObject({ properties: { a: text } });
  expect(notes.join('\n')).toContain('Left out alternatives');
});

test('openai: an array without "items" gets one, with a note', () => {
  const list = { type: 'array' };
  const { schema, notes } = converted('openai', { type: 'object', properties: { list } });
  expect(schema).toEqual({ type: 'object', properties: { list: { ...list, items: {} } } });
  expect(notes).toEqual(['/properties/list Added "items": OpenAI refuses an array without it']);
});

const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, text } };
const nested = (depth: number): JsonSchema => ({
  type: 'object',
  properties: { a: depth === 0 ? text : nested(depth - 1) },
});

test.each<[VendorName, string, JsonSchema]>([
  ['openai', 'a schema without "type" allows any value', { x: { description: 'anything' } }],
  ['openai', 'a property without a schema allows any value', { x: true }],
  ['openai', 'the array has no "items"', { x: { type: 'array' } }],
  ['openai', 'a schema without "type" allows any value', { x: { $ref: '#/$defs/node' } }],
  ['openai', 'deeper than 10 levels', { x: nested(11) }],
  ['anthropic', 'the reference is recursive', { x: { $ref: '#/$defs/node' } }],
  ['anthropic', 'the object allows properties that the schema does not list', { x: { type: 'object' } }],
  [
    'anthropic',
    'the object allows properties that the schema does not list',
    { x: { type: 'object', additionalProperties: text } },
  ],
])('%s is not strict where it refuses the schema: %s, %j', (vendor, message, properties) => {
  const found = converted(vendor, { type: 'object', properties, $defs: { node } }, true);
  expect(found.strict).not.toBe(true);
  expect(found.notes.join('\n')).toContain(`Not strict: ${message}`);
});

test.each(['openai', 'gemini'] as const)('%s: references of properties called like a keyword', (vendor) => {
  const { schema } = converted(
    vendor,
    {
      type: 'object',
      properties: { default: { $ref: '#/$defs/s' }, enum: { $ref: '#/$defs/s' } },
      required: ['default', 'enum'],
      $defs: { s: text },
    },
    true,
  );
  expect(schema).toMatchObject({ properties: { default: text, enum: text } });
});

test('openai: the null of an optional reference is left out again', () => {
  const schema = { type: 'object', properties: { filter: { $ref: '#/$defs/s' } }, $defs: { s: text } };
  expect(vendors.openai.restoreArguments({ filter: null }, schema)).toEqual({});
});

test('gemini: a required name that is no property is dropped, and the parts of a root are one object', () => {
  const { schema, notes } = converted('gemini', {
    type: 'object',
    properties: { a: text },
    required: ['a', 'b'],
    allOf: [{ properties: { c: text } }],
  });
  expect(schema).toEqual({ type: 'object', properties: { a: text, c: text }, required: ['a'] });
  expect(notes).toContain(' Dropped "b" of "required": there is no property of this name');
});

test('anthropic: names of properties that it refuses are renamed, and named as before in the call', () => {
  const long = 'x'.repeat(70);
  const properties = { имя: text, 'filter[id]': text, [long]: text, 'a.b-c': text };
  const own = { type: 'object', properties, required: ['имя', 'a.b-c'] };
  const { schema, notes } = converted('anthropic', own);
  const { properties: renamed, required } = schema as { properties: object; required: string[] };
  const names = Object.keys(renamed);
  expect(names.filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))).toEqual([]);
  expect(required).toEqual([names[0], 'a.b-c']);
  expect(notes).toHaveLength(3);
  const call = Object.fromEntries(names.map((name, index) => [name, index]));
  const restored = vendors.anthropic.restoreArguments(call, own);
  expect(restored).toEqual({ имя: 0, 'filter[id]': 1, [long]: 2, 'a.b-c': 3 });
});

const wrong: [title: string, inputSchema: unknown, note: string][] = [
  ['nothing', {}, ' Added the type "object" at the root'],
  ['no object', null, ' Added the type "object" at the root'],
  ['properties alone', { properties: { a: text } }, ' Added the type "object" at the root'],
  ['null or an object', { type: ['object', 'null'] }, 'at the root by "object"'],
  ['text', { type: 'string' }, ' Replaced the type "string" at the root by "object"'],
  ['no type', { type: 5, properties: {} }, ' Dropped "type": it is not a type of JSON Schema'],
  ['a list of properties', { type: 'object', properties: [{ name: 'a' }] }, ' Dropped "properties"'],
  ['null as properties', { type: 'object', properties: null }, ' Dropped "properties"'],
  ['a text as required', { type: 'object', properties: { a: text }, required: 'a' }, ' Dropped "required"'],
  [
    'true as required',
    { type: 'object', properties: { a: { ...text, required: true } } },
    '/properties/a Dropped "required"',
  ],
  ['numbers as required', { type: 'object', properties: { a: text }, required: [1] }, ' Dropped "required"'],
  ['an unknown type', { type: 'object', properties: { a: { type: 'int' } } }, '/properties/a Dropped "type"'],
  ['no types', { type: 'object', properties: { a: { type: [] } } }, '/properties/a Dropped "type"'],
  [
    'a type within',
    { type: 'object', properties: { a: { items: { type: null } } } },
    '/properties/a/items Dropped "type"',
  ],
  [
    'a text as a schema',
    { type: 'object', properties: { a: 'string' } },
    ' Replaced the schema of the property "a"',
  ],
  ['no values', { type: 'object', properties: { a: { enum: [] } } }, '/properties/a Dropped "enum"'],
];

const isRight = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return typeof schema === 'boolean';
  const { type, properties, required, items, enum: values } = schema as JsonSchema;
  const types = [type].flat();
  return (
    (type === undefined || (types.length > 0 && types.every((each) => typeNames.includes(each as string)))) &&
    (properties === undefined ||
      (typeof properties === 'object' &&
        !Array.isArray(properties) &&
        Object.values(properties!).every(isRight))) &&
    (required === undefined ||
      (Array.isArray(required) && required.every((each) => typeof each === 'string'))) &&
    (items === undefined || isRight(items)) &&
    (values === undefined || (Array.isArray(values) && values.length > 0))
  );
};
const typeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

describe.each(['openai', 'openai-responses', 'anthropic', 'gemini'] as const)(
  '%s: a wrong schema',
  (vendor) => {
    test.each(wrong)('%s is repaired, and that is said', (_, inputSchema, note) => {
      for (const strict of [false, true]) {
        const { schema, notes } = converted(vendor, inputSchema as JsonSchema, strict);
        expect(schema).toMatchObject({ type: 'object' });
        expect(isRight(schema)).toBe(true);
        expect(notes.join('\n')).toContain(note);
        if (vendor !== 'gemini') expect(schema).toHaveProperty('properties');
      }
    });
  },
);
