import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkedJsonSchema } from '@mcp/protocol/json-schema';
import { TemporaryDirectory } from '@mcp/test-kit';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { definitionsOf } from '../src/generate/definitions-of.ts';
import { objectKey, quotedText, uniqueNames } from '../src/generate/names.ts';
import { printDeclaration } from '../src/generate/print-type.ts';
import { printZodDefinitions, zodName } from '../src/generate/print-zod.ts';

vi.setConfig({ testTimeout: 120_000 }); // The compiler needs seconds on a busy machine.

const times = Number(process.env['GENERATED_TIMES'] ?? 1);
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const directory = new TemporaryDirectory('host-types');
afterAll(() => directory[Symbol.dispose]());
mkdirSync(join(directory.root, 'node_modules'));
symlinkSync(path('../../../node_modules/zod'), join(directory.root, 'node_modules/zod'), 'junction');

type Schema = Record<string, unknown>;

/** What the compiler says about a program with zod. */
async function errorsOf(parts: readonly string[]): Promise<string> {
  const file = directory.put('program.ts', `import { z } from 'zod';\n${parts.join('\n')}`);
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023'];
  const zod = ['--module', 'preserve', '--ignoreConfig', '--types', ''];
  const run = promisify(execFile)(process.execPath, [
    path('../../../node_modules/typescript/bin/tsc'),
    ...options,
    ...zod,
    file,
  ]);
  return run.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

/** The code for a schema, in a namespace of its own: its types, and their schemas for zod. */
function declared(schema: Schema, name: string, ...further: readonly string[]): string {
  const definitions = definitionsOf(schema, name, uniqueNames([name]));
  const types = Array.from(definitions, ([each, definition]) => printDeclaration(each, definition));
  const lines = [...types, ...printZodDefinitions(definitions), ...further];
  return `export namespace n${name} {\n${lines.join('\n')}\n}`;
}

/** A value as code in which no key has a special meaning. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quotedText(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${objectKey(key)}: ${literal(each)}`)
    .join(', ')} }`;
}

const names = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'c',
    '__proto__',
    'constructor',
    'toString',
    'a-b',
    '1',
    'класс',
    '',
    "it's",
    '*/',
    '\u2028',
  ),
  fc.string({ maxLength: 8 }),
);
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom('*/ x', '// @ts-nocheck', 'a\nb', '${x}`', "'\\", '\u2028'),
);

interface Sample {
  readonly schema: Schema | boolean;
  readonly value: unknown;
}

/** Schemas, each with a value that is valid under it. */
const samples = fc.letrec<{ sample: Sample }>((tie) => {
  const sample = tie('sample');
  const members = fc.uniqueArray(
    fc.record({ name: names, of: sample, isRequired: fc.boolean(), isGiven: fc.boolean(), note: texts }),
    { selector: ({ name }) => name, maxLength: 4 },
  );
  const object = fc.record({ members, isClosed: fc.constantFrom(undefined, false) }).map((each): Sample => ({
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        each.members.map(({ name, of: { schema }, note }) => [
          name,
          typeof schema === 'object' ? { ...schema, description: note } : schema,
        ]),
      ),
      required: each.members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      ...(each.isClosed === false && { additionalProperties: false }),
    },
    value: Object.fromEntries(
      each.members
        .filter(({ isRequired, isGiven }) => isRequired || isGiven)
        .map(({ name, of }) => [name, of.value]),
    ),
  }));
  const choice = fc.tuple(
    fc.constantFrom('anyOf', 'oneOf'),
    fc.array(sample, { minLength: 1, maxLength: 3 }),
  );
  const scalar = fc.oneof(
    texts.map((value): Sample => ({ schema: { type: 'string' }, value })),
    fc
      .oneof(fc.integer(), fc.constantFrom(2 ** 60, -1e21))
      .map((value): Sample => ({ schema: { type: 'integer' }, value })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value): Sample => ({ schema: { type: 'number' }, value })),
    fc.boolean().map((value): Sample => ({ schema: { type: ['boolean', 'null'] }, value })),
    fc.constant<Sample>({ schema: { type: ['boolean', 'null'] }, value: null }),
    fc.jsonValue({ maxDepth: 2 }).map((value): Sample => ({ schema: true, value })),
    fc.jsonValue({ maxDepth: 2 }).map((value): Sample => ({ schema: { const: value }, value })),
    fc
      .array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1 })
      .map((values): Sample => ({ schema: { enum: values }, value: values.at(-1) })),
  );
  return {
    sample: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      object,
      object.map(({ schema, value }) => ({ schema: { allOf: [schema, { type: 'object' }] }, value })),
      sample.map(({ schema, value }) => ({
        schema: { $defs: { 'a b': schema }, $ref: '#/$defs/a b' },
        value,
      })),
      fc.array(sample, { maxLength: 3 }).map((all) => ({
        schema: { type: 'array', items: { anyOf: all.map(({ schema }) => schema) } },
        value: all.map(({ value }) => value),
      })),
      fc.tuple(fc.array(sample, { minLength: 1, maxLength: 3 }), fc.nat(3)).map(([all, minItems]) => ({
        schema: {
          prefixItems: all.map(({ schema }) => schema),
          minItems: Math.min(minItems, all.length),
          items: false,
        },
        value: all.slice(0, Math.max(1, minItems)).map(({ value }) => value),
      })),
      fc.dictionary(names, fc.integer(), { maxKeys: 3 }).map((value) => ({
        schema: { type: 'object', additionalProperties: { type: 'integer' } },
        value,
      })),
      choice.map(([keyword, all]) => ({
        schema: { [keyword]: all.map(({ schema }) => schema) },
        value: all.at(-1)!.value,
      })),
    ),
  };
}).sample;

function validSamples(): readonly Sample[] {
  // `#/$defs` of an inner schema would be sought at the root.
  const valid = ({ schema, value }: Sample) => {
    if (typeof schema !== 'object' || /\$defs.*\$defs/.test(JSON.stringify(schema))) return false;
    return !('issues' in checkedJsonSchema(schema)['~standard'].validate(value));
  };
  const all = fc.sample(samples, { numRuns: 150 * times, seed }).filter(valid);
  expect(all.length).toBeGreaterThan(80 * times);
  return all;
}

/** Types of schemas, and values that are valid under them. */
function accepted(): readonly string[] {
  return validSamples().map(({ schema, value }, index) =>
    declared(schema as Schema, `T${index}`, `export const value: T${index} = ${literal(value)};`),
  );
}

/** Schemas of all kinds, with keywords whose values are often wrong, and references to anywhere. */
const hostile = fc.letrec<{ schema: unknown; object: Schema }>((tie) => ({
  schema: fc.oneof({ maxDepth: 4 }, fc.boolean(), fc.string(), tie('object')),
  object: fc.record(
    {
      $schema: fc.constantFrom('http://json-schema.org/draft-07/schema#', 'x', 1),
      type: fc.oneof(
        fc.constantFrom('object', 'array', 'string', 'integer', 'null', 'int'),
        fc.array(fc.constantFrom('object', 'array', 'null', 3), { maxLength: 3 }),
      ),
      properties: fc.oneof(fc.dictionary(names, tie('schema'), { maxKeys: 3 }), texts),
      required: fc.array(fc.oneof(names, fc.integer()), { maxLength: 3 }),
      additionalProperties: tie('schema'),
      patternProperties: fc.dictionary(names, tie('schema'), { maxKeys: 2 }),
      items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
      prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
      minItems: fc.oneof(fc.integer(), fc.string()),
      anyOf: fc.array(tie('schema'), { maxLength: 3 }),
      oneOf: fc.array(tie('schema'), { maxLength: 2 }),
      allOf: fc.array(tie('schema'), { maxLength: 3 }),
      enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 2 }),
      $ref: fc.constantFrom(
        '#',
        '#/$defs/a',
        '#/$defs/a b',
        '#/properties/a',
        '#/nowhere',
        '%',
        'https://a.example',
      ),
      $defs: fc.dictionary(fc.constantFrom('a', 'a b', '__proto__'), tie('schema'), { maxKeys: 2 }),
      description: fc.oneof(texts, fc.integer()),
      default: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Schema>,
})).object;

/** A schema with as many levels of `property` around a string. */
function nested(property: (inner: Schema) => Schema, levels: number): Schema {
  let schema: Schema = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = property(schema);
  return schema;
}

const many = Array.from({ length: 400 }, (_, index) => `value ${index}`);
const references = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index, { $ref: `#/$defs/${index + 1}` }]));

/** Types of schemas that are not well formed, or too large or too deep. */
function ofHostileSchemas(): readonly string[] {
  const schemas: Schema[] = [
    ...fc.sample(hostile, { numRuns: 100 * times, seed }),
    nested((inner) => ({ properties: { a: inner } }), 10_000),
    nested((inner) => ({ items: inner }), 10_000),
    nested((inner) => ({ allOf: [inner, { anyOf: [inner] }] }), 60),
    { enum: Array.from({ length: 100_000 }, (_, index) => `v${index}`) },
    { allOf: [{ enum: many }, { enum: many }, { enum: many }] },
    ...['@ts-expect-error', 'a\n// @ts-expect-error x'].map((description) => ({
      properties: { a: { type: 'string', description } },
    })),
    ...[-1, 0.5].map((minItems) => ({ prefixItems: [true, true], minItems })),
    { anyOf: [{ $ref: '#' }, { type: 'string' }] },
    { $ref: '#/$defs/0', $defs: { ...references(300), 300: { $ref: '#/$defs/7' } } },
    { $ref: '#/$defs/0', $defs: { ...references(300), 300: { properties: { next: { $ref: '#' } } } } },
    { properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, {}])) },
  ];
  return schemas.map((schema, index) => declared(schema, `H${index}`));
}

/** A type, and values that it refuses: other values, and misspelled names. */
function refused(): string {
  const schema = {
    type: 'object',
    properties: { mode: { enum: ['a', 'b'] }, tree: { $ref: '#/$defs/tree' } },
    required: ['mode'],
    $defs: { tree: { properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } } },
  };
  const values = ["{ mode: 'c' }", '{}', "{ mode: 'a', tre: {} }", "{ mode: 'a', tree: { children: [1] } }"];
  const lines = values.map((value, index) => `// @ts-expect-error\nexport const v${index}: T = ${value};`);
  return declared(schema, 'T', ...lines);
}

test('zod schemas accept the values of their schema', async () => {
  const claim = uniqueNames(['z']);
  const checks = validSamples().flatMap(({ schema, value }) => {
    // Zod leaves this property out.
    if (JSON.stringify(value).includes('__proto__')) return [];
    const name = claim('T');
    const schemas = printZodDefinitions(definitionsOf(schema as Schema, name, claim));
    const untyped = schemas.map((each) => each.replace(/: z\.ZodType<\w+>/, ''));
    return [
      ...untyped,
      `if (!${zodName(name)}.safeParse(${literal(value)}).success) console.log('${name}');`,
    ];
  });
  const file = directory.put('checks.mjs', `import { z } from 'zod';\n${checks.join('\n')}\n`);
  expect((await promisify(execFile)(process.execPath, [file])).stdout).toBe('');
});

test('types and zod schemas compile, accept the values of their schema, and refuse others', async () => {
  expect(await errorsOf([...accepted(), ...ofHostileSchemas(), refused()])).toBe('');
});
