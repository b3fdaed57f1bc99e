import { checkedJsonSchema } from '@mcp/protocol/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listChanges, type ServerLists } from '../src/commands/diff/list-changes.ts';

type Schema = Record<string, unknown>;

const names = fc.constantFrom('a', 'b');
const limit = fc.nat(2);
const schemas = fc.letrec<{ part: Schema }>((tie) => {
  const part = tie('part');
  const some = fc.array(part, { minLength: 1, maxLength: 2 });
  const text = { type: fc.constant('string'), minLength: limit, maxLength: limit, pattern: fc.constant('x') };
  const count = { type: fc.constantFrom('integer', 'number'), minimum: limit, exclusiveMaximum: limit };
  const object = {
    type: fc.constant('object'),
    properties: fc.dictionary(names, part, { maxKeys: 2 }),
    required: fc.uniqueArray(names),
    additionalProperties: fc.constantFrom(true, { type: 'string' }),
  };
  const list = { type: fc.constant('array'), items: part, minItems: limit };
  const record = (shape: Record<string, fc.Arbitrary<unknown>>) => fc.record(shape, { requiredKeys: [] });
  return {
    part: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<Schema>(
        {},
        { type: ['string', 'null'] },
        { items: { $ref: '#/$defs/a' } },
        { const: 'x' },
      ),
      fc.record({ enum: fc.uniqueArray(fc.constantFrom('x', 1, null), { minLength: 1 }) }),
      ...[text, count, object, list, { anyOf: some }, { oneOf: some }, { allOf: some }].map(record),
    ),
  };
}).part;

/** Two schemas of objects, most of whose parts are the same. */
const pairs = fc.record({ shared: fc.tuple(schemas, schemas), one: schemas, other: schemas }).map((each) => {
  const [a, b] = each.shared;
  const $defs = (part: Schema) => ({ a: { type: part === each.one ? 'string' : 'integer' } });
  const root = (part: Schema) => ({ properties: { a, b }, ...part, type: 'object', $defs: $defs(part) });
  const within = (part: Schema) => ({ properties: { a: { properties: { b: part } }, b } });
  return [
    [root(each.one), root(each.other)],
    [within(each.one), within(each.other)],
  ] as const;
});

const values = fc.sample(
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  { numRuns: 40, seed: 1 },
);

function listsOf(schema: Schema): ServerLists {
  const tools = [{ name: 'tool', inputSchema: schema, outputSchema: schema }] as ServerLists['tools'];
  const none = { prompts: [], resources: [], resourceTemplates: [], instructions: undefined };
  return { ...none, tools, capabilities: {} };
}

test('refusing a value that was valid breaks arguments, and allowing another one breaks results', () => {
  const isValid = (schema: Schema) => {
    const { '~standard': standard } = checkedJsonSchema(schema);
    return (value: unknown) => !('issues' in standard.validate(value));
  };
  fc.assert(
    fc.property(pairs, (all) => {
      for (const [before, now] of all) {
        const [was, is] = [isValid(before), isValid(now)];
        const details = listChanges(listsOf(before), listsOf(now)).flatMap((each) => each.details);
        const breaks = (what: string) => details.some((each) => each.breaking && each.text.startsWith(what));
        const shown = JSON.stringify([before, now, details]);
        // A further property counts as harmless, although its name was allowed before, or was not.
        if (details.some(({ text }) => / added$|: further properties$/.test(text))) continue;
        if (values.some((value) => was(value) && !is(value))) expect(breaks('argument'), shown).toBe(true);
        if (values.some((value) => !was(value) && is(value))) expect(breaks('result'), shown).toBe(true);
      }
    }),
    { numRuns: 150 * Number(process.env['GENERATED_TIMES'] ?? 1) },
  );
});
