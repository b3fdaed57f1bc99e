import { expect, test } from 'vitest';
import { JsonValidator } from '../../src/schema/json-validator/json-validator.ts';

const tree = {
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['id'] } },
  $ref: '#/$defs/node',
};

/** A schema with an `$id` has its own `$defs`. */
const embedded = {
  $id: 'https://example.com/root',
  $defs: {
    x: { type: 'string' },
    item: { $id: 'item', $defs: { x: { type: 'number' } }, properties: { v: { $ref: '#/$defs/x' } } },
  },
  properties: { a: { $ref: 'item' }, b: { $ref: 'https://example.com/item#/$defs/x' } },
};

/** A list whose items another schema may define. */
const list = {
  $id: 'https://example.com/root',
  $ref: 'list',
  $defs: {
    list: {
      $id: 'list',
      items: { $dynamicRef: '#items' },
      $defs: { any: { $dynamicAnchor: 'items', type: 'number' } },
    },
  },
};

const conditional: unknown = JSON.parse(
  '{ "if": { "type": "string" }, "then": { "minLength": 2 }, "else": { "minimum": 2 } }',
);

test.each<[schema: unknown, fits: readonly unknown[], not: readonly unknown[]]>([
  [true, [1, null], []],
  [{ type: 'integer' }, [1, 1.0, -3], [1.5, '1', null]],
  [{ type: ['string', 'null'] }, ['a', null], [1]],
  [{ enum: [1, { a: [1] }] }, [1, { a: [1] }], [2, { a: [2] }]],
  [{ const: { b: 1, a: 2 } }, [{ a: 2, b: 1 }], [{ a: 2 }]],
  [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'x'], [0, 3]],
  [{ multipleOf: 0.1 }, [0.3, 1, 0.1 + 0.2, 1e21], [0.35, 123_456_789_012.35]],
  [{ multipleOf: 10 }, [0, 1e21], [12_345_678_901, 10_000_000_000.5]],
  [{ minLength: 2, maxLength: 2 }, ['ab', '😀😀'], ['a', 'abc']],
  [{ pattern: '^a+$' }, ['aa', 5], ['b']],
  [{ pattern: '^[a-z]+(-[a-z]+)*$' }, ['some-words'], ['some-', 'Some']],
  [
    { pattern: String.raw`^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$` },
    ['2026-11-22T10:00:00.5Z'],
    ['2026'],
  ],
  [
    { pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
    ['123e4567-e89b-12d3-a456-426614174000'],
    ['1'],
  ],
  [{ enum: [0, { a: -0 }] }, [-0, { a: 0 }], [1]],
  [{ items: { type: 'number' }, uniqueItems: true }, [[1, 2], []], [[1, 1], ['a']]],
  [{ prefixItems: [{ type: 'string' }], items: false }, [['a'], []], [['a', 1], [1]]],
  [{ items: [{ type: 'string' }], additionalItems: false }, [['a']], [['a', 1]]],
  [{ contains: { const: 1 }, maxContains: 1 }, [[1, 2]], [[2], [1, 1]]],
  [{ required: ['a'], maxProperties: 1 }, [{ a: 1 }, 'x'], [{}, { a: 1, b: 2 }]],
  [
    { properties: { a: { type: 'string' } }, additionalProperties: false },
    [{ a: 'x' }],
    [{ a: 1 }, { b: 1 }],
  ],
  [{ patternProperties: { '^x-': { type: 'number' } } }, [{ 'x-a': 1, b: 'c' }], [{ 'x-a': 'b' }]],
  [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [{ dependentRequired: { a: ['b'] } }, [{ a: 1, b: 1 }, {}], [{ a: 1 }]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [3]],
  [{ anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['a', 6], [1]],
  [{ oneOf: [{ minimum: 1 }, { minimum: 5 }] }, [2], [6, 0]],
  [{ not: { type: 'string' } }, [1], ['a']],
  [conditional, ['ab', 2], ['a', 1]],
  [tree, [{ id: 1, next: { id: 2 } }], [{ id: 1, next: {} }]],
  [{ $defs: { a: { $anchor: 'here', type: 'string' } }, $ref: '#here' }, ['a'], [1]],
  [
    { allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false },
    [{ a: 1, b: 2 }],
    [{ c: 1 }],
  ],
  [{ prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
  [embedded, [{ a: { v: 1 } }], [{ a: { v: 's' } }, { b: 's' }]],
  [{ ...list, $defs: { ...list.$defs, first: { $dynamicAnchor: 'items', type: 'string' } } }, [['a']], [[1]]],
  [{ multipleOf: 0.5 }, [1e308], [0.25]],
  [tree, [Array.from({ length: 400 }).reduce<object>((next) => ({ id: 1, next }), { id: 1 })], []],
  // A part of a schema that cannot be checked makes no value wrong: nothing is fetched, no thread blocks.
  [{ $ref: 'https://example.com/schema.json' }, [1, 'a'], []],
  [{ $ref: 'https://example.com/schema.json', unevaluatedProperties: false }, [{ a: 1 }], []],
  [{ not: { $ref: 'https://example.com/schema.json' } }, [1], []],
  [{ not: { not: { not: { $ref: 'https://example.com/schema.json' } } } }, [1], []],
  [{ not: { anyOf: [{ type: 'number' }, { pattern: '[' }] } }, ['a'], [1, null]],
  [
    {
      oneOf: [
        { $ref: 'https://example.com/a.json' },
        { $ref: 'https://example.com/b.json' },
        { type: 'string' },
      ],
    },
    [1, 'a'],
    [],
  ],
  [{ contains: { pattern: '[' }, minContains: 2, maxContains: 2 }, [['a', 'b', 'c']], [['a']]],
  [{ patternProperties: { '[': false } }, [{ a: 1 }], []],
  [{ not: { patternProperties: { '[': false } } }, [{ a: 1 }], []],
  [
    JSON.parse('{ "if": { "pattern": "[" }, "then": { "const": "a" }, "else": { "const": "b" } }'),
    ['a', 'b'],
    ['c'],
  ],
  [{ pattern: '(a+)+$' }, [`${'a'.repeat(50_000)}!`], []],
  [{ pattern: '^(a|a|a|a|a|a|a|a|a|a|a|a)*$' }, [`${'a'.repeat(20)}!`], []],
  [{ pattern: `^${'a?'.repeat(40)}${'a'.repeat(40)}$` }, ['a'.repeat(39)], []],
  [{ pattern: `^${'(a|a)'.repeat(40)}$` }, ['a'.repeat(39)], []],
  [{ pattern: `${'a'.repeat(10_000)}b` }, ['a'.repeat(1_000_000)], []],
  [{ pattern: `^${'(?:'.repeat(50_000)}` }, ['a'], []],
  [{ pattern: '^((a{1000}){1000}){1000}$' }, [], ['a']],
  [{ pattern: '[' }, ['a'], []],
])('the schema %j fits what it describes, and nothing else', (schema, fits, not) => {
  const validator = new JsonValidator(schema);
  for (const value of fits) expect(validator.check(value)).toBeUndefined();
  for (const value of not) expect(validator.check(value)).toEqual(expect.any(String));
});

test('a schema that refers to itself without end, or multiplies, is given up in a moment', () => {
  const started = performance.now();
  expect(new JsonValidator({ $ref: '#' }).check(1)).toBe('the schema takes too long to check');
  const doubled = Array.from({ length: 40 }, (_, n) => [
    `d${n}`,
    { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
  ]);
  const schema = { $defs: { ...Object.fromEntries(doubled), d40: false }, $ref: '#/$defs/d0' };
  expect(new JsonValidator(schema).check(1)).toBe('the schema takes too long to check');
  expect(performance.now() - started).toBeLessThan(10_000);
});

const many = 20_000;
const strings = Array.from({ length: many }, (_, n) => `s${n}`);
const everyItem = (items: object): object => ({ items: { anyOf: [items, true] } });

test.each<[what: string, schema: object, value: unknown]>([
  ['a long enum', everyItem({ enum: strings }), strings.toReversed()],
  ['unique items, many times', { allOf: strings.map(() => ({ uniqueItems: true })) }, strings],
  ['patterns, many times', everyItem({ pattern: '^a*a*a*$' }), strings.map((s) => `${'a'.repeat(200)}${s}`)],
])('%s and a long value are given up or checked in a moment', (_what, schema, value) => {
  const started = performance.now();
  new JsonValidator(schema).check(value);
  expect(performance.now() - started).toBeLessThan(10_000);
});
