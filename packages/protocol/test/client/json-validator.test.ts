import { expect, test } from 'vitest';
import { JsonValidator } from '../../src/schema/json-validator/json-validator.ts';

const tree = {
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['id'] } },
  $ref: '#/$defs/node',
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
  [{ multipleOf: 0.1 }, [0.3, 1], [0.35]],
  [{ minLength: 2, maxLength: 2 }, ['ab', '😀😀'], ['a', 'abc']],
  [{ pattern: '^a+$' }, ['aa', 5], ['b']],
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
  // What cannot be checked lets every value pass: nothing is fetched, and no thread stands still.
  [{ $ref: 'https://example.com/schema.json' }, [1, 'a'], []],
  [{ pattern: '(a+)+$' }, [`${'a'.repeat(50_000)}!`], []],
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
