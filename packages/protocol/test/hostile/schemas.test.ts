import { stackOf } from '@mcp/kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonValidator } from '../../src/schema/json-validator/json-validator.ts';
import { connectTo, ScriptedPeer, text, tool } from '../client/scripted-peer.ts';

import { times } from './generated.ts';

/**
 * Maximum processor time of a check, in milliseconds. On a quiet machine it takes less than 250,
 * and on a busy one, whose processors share their caches, several times that.
 */
const boundMs = 3_000;

function millisecondsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `p${n}`);
const mapOf = (count: number, inner: unknown): object =>
  Object.fromEntries(names(count).map((name) => [name, inner]));
const listOf = (count: number, inner: unknown): unknown[] => Array.from({ length: count }, () => inner);
/** Texts of the same length with equal beginnings. */
const similar = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, n) => `${'x'.repeat(length)}${n + 10_000_000}`);

/** A chain of definitions, each of which refers to the next one in several ways. */
function chain(links: number, keywords: readonly string[], last: object, more: object): object {
  const link = (n: number) => Object.fromEntries(keywords.map((keyword) => [keyword, `#/$defs/d${n + 1}`]));
  const definitions = Array.from({ length: links }, (_, n) => [`d${n}`, { ...link(n), ...more }]);
  return { $defs: { ...Object.fromEntries(definitions), [`d${links}`]: last }, $ref: '#/$defs/d0' };
}

const count = fc.constantFrom(3, 50, 3_000, 20_000);
const few = fc.constantFrom(2, 20, 300);
const pattern = fc.constantFrom(
  '^p',
  '(a+)+$',
  '^a*a*a*$',
  '^(a|b|ab)*$',
  '^x*x*$',
  '^((x{100}){100})$',
  `${'(?:x|y)'.repeat(500)}`,
  '[',
);

/** Schemas whose checks repeat themselves, by their keywords and by those of the schemas in them. */
const { schema } = fc.letrec<{ schema: object; inner: object }>((tie) => ({
  inner: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constant({}), tie('schema')),
  schema: fc.oneof(
    { depthSize: 'medium', maxDepth: 4 },
    fc.constantFrom({ type: 'string' }, { uniqueItems: true }, { minLength: 1e9 }, { maxProperties: 1e9 }),
    count.map((n) => ({ enum: similar(n, 100) })),
    count.map((n) => ({ enum: listOf(n, mapOf(50, 1)) })),
    count.map((n) => ({ required: names(n).toReversed() })),
    count.map((n) => ({ type: [...names(n), 'object', 'array', 'string', 'number'] })),
    count.map((n) => ({ dependentRequired: mapOf(n, names(20)) })),
    fc.record({ pattern }),
    fc.tuple(count, tie('inner')).map(([n, inner]) => ({ properties: mapOf(n, inner) })),
    fc.tuple(few, tie('inner')).map(([n, inner]) => ({ dependentSchemas: mapOf(n, inner) })),
    fc.tuple(few, tie('inner')).map(([n, inner]) => ({ dependencies: mapOf(n, inner) })),
    fc
      .tuple(pattern, tie('inner'))
      .map(([key, inner]) => ({ patternProperties: { [key]: inner, p: inner } })),
    fc.tuple(count, tie('inner')).map(([n, inner]) => ({ allOf: listOf(n, inner) })),
    fc.tuple(count, tie('inner')).map(([n, inner]) => ({ anyOf: listOf(n, { not: inner }) })),
    fc.tuple(few, tie('inner')).map(([n, inner]) => ({ oneOf: listOf(n, inner) })),
    fc.tuple(few, tie('inner')).map(([n, inner]) => ({ prefixItems: listOf(n, inner) })),
    fc.tuple(few, tie('inner')).map(([n, inner]) => ({ items: listOf(n, inner), additionalItems: inner })),
    fc
      .tuple(tie('inner'), tie('inner'))
      .map(([a, b]) =>
        Object.fromEntries(['if', 'then', 'else'].map((keyword, n) => [keyword, n === 0 ? a : b])),
      ),
    ...(
      [
        'items',
        'contains',
        'additionalProperties',
        'propertyNames',
        'unevaluatedProperties',
        'unevaluatedItems',
        'not',
      ] as const
    ).map((keyword) => tie('inner').map((inner) => ({ [keyword]: inner }))),
    fc
      .tuple(fc.constantFrom(2, 12, 18, 40), tie('inner'), fc.boolean())
      .map(([n, inner, isOpen]) =>
        chain(n, ['$ref', '$dynamicRef'], inner, isOpen ? { unevaluatedProperties: true } : {}),
      ),
    tie('inner').map((inner) => ({ allOf: [inner, { $ref: '#' }] })),
  ),
}));

const whole = fc.tuple(
  schema,
  fc.constantFrom<object>(
    {},
    { unevaluatedProperties: true },
    { unevaluatedItems: {}, unevaluatedProperties: {} },
    { $schema: 'http://json-schema.org/draft-07/schema#' },
    { $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveAnchor: true },
  ),
);

const scalar = fc.constantFrom<unknown>(1, 'p', 'a'.repeat(50), 'x'.repeat(100_000), null);
const value = fc.oneof(
  scalar,
  count.map((n) => mapOf(n, 1)),
  count.map((n) => similar(n, 100)),
  fc.constant(similar(300, 17_000)),
  fc.tuple(count, scalar).map(([n, inner]) => listOf(n, inner)),
  fc.tuple(few, scalar).map(([n, inner]) => listOf(n, mapOf(n, inner))),
  fc.constantFrom(300, 20_000).map((depth) => listOf(depth, 0).reduce<unknown>((p0) => ({ p0, p1: 1 }), {})),
  fc.constantFrom(300, 20_000).map((depth) => listOf(depth, 0).reduce<unknown>((inner) => [inner, 1], [])),
);

test('every schema is given up or checked in a bounded time, whatever the value', () => {
  const property = fc.property(whole, value, ([generated, more], checked) => {
    let validator: JsonValidator | undefined;
    const made = millisecondsOf(() => (validator = new JsonValidator({ ...generated, ...more })));
    const taken = millisecondsOf(() => void validator?.check(checked));
    expect(Math.max(made, taken)).toBeLessThan(boundMs);
  });
  // Not `fc.assert`, which prints the value of a failure: some values are too deep to be printed.
  const { failed, seed, counterexamplePath, errorInstance } = fc.check(property, { numRuns: 100 * times });
  expect(failed ? { seed, counterexamplePath, error: stackOf(errorInstance) } : {}).toEqual({});
});

/** Integers whose hashes in V8 have the same lower bits, so that a `Set` compares each with all before it. */
function collidingNumbers(): number[] {
  const found: number[] = [];
  for (let number = 0; found.length < 4_000; number++) {
    let hash = ~number + (number << 15);
    hash ^= hash >>> 12;
    hash += hash << 2;
    hash ^= hash >>> 4;
    hash = Math.imul(hash, 2057);
    hash ^= hash >>> 16;
    if ((hash & 0x7_ff) === 1) found.push(number);
  }
  return found;
}

const many = names(20_000);
const most = mapOf(20_000, 1);
const longName = 'k'.repeat(1_000_000);

test.each<[what: string, schema: unknown, value: unknown]>([
  ['each keyword of properties', { items: { properties: mapOf(20_000, {}) } }, listOf(20_000, {})],
  ['the properties of a value', { allOf: listOf(20_000, { maxProperties: 1e9 }) }, most],
  ['additional properties', { allOf: listOf(20_000, { additionalProperties: true }) }, most],
  ['unevaluated properties', { allOf: listOf(20_000, { unevaluatedProperties: {} }) }, most],
  ['unevaluated items', { allOf: listOf(20_000, { unevaluatedItems: {} }) }, many],
  ['dependent schemas', { items: { dependentSchemas: mapOf(20_000, {}) } }, listOf(20_000, {})],
  ['required names', { items: { anyOf: [{ required: [...many] }, true] } }, listOf(20_000, most)],
  ['equal texts', { items: { enum: similar(2_000, 15_000) } }, similar(2_000, 15_000)],
  ['long items that are unique', { allOf: listOf(50, { uniqueItems: true }) }, similar(1_000, 17_000)],
  [
    'keys in order',
    { allOf: listOf(50, { uniqueItems: true }) },
    [Object.fromEntries(similar(1_000, 15_000).map((key) => [key, 1])), 1],
  ],
  ['enum of a large object', { allOf: listOf(20_000, { enum: [{ ...most, p1: 2 }] }) }, most],
  [
    'a long reference',
    JSON.parse(
      `{ "$defs": { "${longName}": {} }, "items": { "allOf": [{ "$ref": "#/$defs/${longName}" }, { "$ref": "#/$defs/${longName}" }] } }`,
    ),
    many,
  ],
  ['nested identifiers', JSON.parse(`${'{"$id":"a/","not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`), 1],
  ['names in messages', { items: { anyOf: [{ required: [longName] }, true] } }, listOf(20_000, {})],
  [
    'expensive patterns',
    {
      allOf: Array.from({ length: 1_000 }, (_, n) => ({ anyOf: [{ pattern: `^(?:a{99}){100}${n}` }, true] })),
    },
    'a'.repeat(1_000),
  ],
  [
    'cheap patterns, very often',
    { items: { anyOf: listOf(50, { pattern: '^x*x*b$' }) } },
    listOf(20_000, 'x'.repeat(60)),
  ],
  [
    'parts of a pattern',
    { items: { anyOf: [{ pattern: '(?:x|y)'.repeat(3_000) }, true] } },
    listOf(20_000, 'x'),
  ],
  ['a look for equal numbers', { allOf: listOf(100, { uniqueItems: true }) }, collidingNumbers()],
  ['a look for a number', { items: { anyOf: listOf(50, { enum: collidingNumbers() }) } }, collidingNumbers()],
  [
    'contains, below unevaluatedItems',
    { unevaluatedItems: false, allOf: listOf(200, { contains: true }) },
    listOf(480_000, 1),
  ],
  ['one schema in another, many times', { allOf: listOf(20_000, { properties: mapOf(20_000, {}) }) }, {}],
])('a schema that repeats %s is given up or checked in a bounded time', (_what, hostile, checked) => {
  let validator: JsonValidator | undefined;
  expect(millisecondsOf(() => (validator = new JsonValidator(hostile)))).toBeLessThan(boundMs);
  expect(millisecondsOf(() => void validator?.check(checked))).toBeLessThan(boundMs);
});

const columns = names(20);
const rowSchema = {
  type: 'object',
  properties: Object.fromEntries(columns.map((name) => [name, { type: 'string' }])),
  required: columns,
  additionalProperties: false,
};
const row = Object.fromEntries(columns.map((name) => [name, 'text']));
const codes = similar(250, 3);
const kinds = Array.from({ length: 10 }, (_, n) => ({
  properties: { ...rowSchema.properties, p0: { const: `k${n}` } },
  required: columns,
}));

test.each<[what: string, schema: unknown, value: unknown]>([
  ['a table', { items: rowSchema }, listOf(50_000, row)],
  [
    'a table with unevaluatedProperties',
    { items: { ...rowSchema, unevaluatedProperties: false } },
    listOf(5_000, row),
  ],
  ['a larger table', { items: rowSchema }, listOf(150_000, row)],
  ['rows by reference', { $defs: { row: rowSchema }, items: { $ref: '#/$defs/row' } }, listOf(50_000, row)],
  ['codes of a list', { items: { enum: codes } }, Array.from({ length: 50_000 }, (_, n) => codes[n % 250])],
  ['rows of ten kinds', { items: { oneOf: kinds } }, listOf(5_000, { ...row, p0: 'k9' })],
  ['a long text', { type: 'string', minLength: 1 }, 'x'.repeat(50_000_000)],
])('%s is checked, however large it is', (_what, schema, checked) => {
  expect(new JsonValidator(schema).check(checked)).toBeUndefined();
});

test('a client is not blocked by the outputSchema of a server', async () => {
  const outputSchema = {
    type: 'object',
    unevaluatedProperties: true,
    ...chain(18, ['$ref', '$dynamicRef'], {}, {}),
  };
  expect(JSON.stringify(outputSchema).length).toBeLessThan(1_300);
  const peer = new ScriptedPeer('2025-11-25', {
    'tools/list': () => ({ result: { tools: [{ ...tool, outputSchema }] } }),
    'tools/call': () => ({ result: { ...text('t'), structuredContent: mapOf(3_000, 1) } }),
  });
  await using client = await connectTo(peer, '2025-11-25');
  await client.listTools();
  const before = process.cpuUsage();
  await client.callTool('any').catch(() => undefined);
  const { user } = process.cpuUsage(before);
  expect(user / 1_000).toBeLessThan(2 * boundMs);
});
