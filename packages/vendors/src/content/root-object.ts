import { isObject } from '@mcp/kit';
import type { JsonSchema } from './json-schema.ts';
import { lookUp, type Report } from './rewrite-schema.ts';

/**
 * What a schema says about an object: for each property, the schemas that the object schema and its
 * alternatives give it, and the names of the required properties.
 */
interface Shape {
  readonly properties: ReadonlyMap<string, ReadonlySet<unknown>>;
  readonly required: ReadonlySet<string>;
}

const maxDepth = 16;

/**
 * Maximum number of schemas and names of properties to read in total: nested references could take
 * exponential time.
 */
const maxRead = 10_000;

interface Reading {
  readonly root: JsonSchema;
  /** How many schemas and names may still be read. */
  left: number;
}

/**
 * The shape for a schema that is not read because a limit is exceeded: it has no known and no required
 * properties.
 */
const unread: Shape = { properties: new Map(), required: new Set() };

/**
 * Makes a schema's root a plain object without the keywords in `refused`, which the vendor does not accept at
 * the root (by default `anyOf`, `oneOf` and `allOf`). The new schema allows every value that the old schema
 * or one of its alternatives allows. Follows references within the document.
 */
export function rootAsObject(
  schema: JsonSchema,
  report: Report,
  refused: readonly string[] = ['anyOf', 'oneOf', 'allOf'],
): JsonSchema {
  const found = refused.filter((key) => schema[key] !== undefined);
  if (found.length === 0) return schema;
  for (const key of found) {
    const unions = key === 'allOf' ? 'all its parts' : 'all alternatives';
    report(
      '',
      Array.isArray(schema[key]) && key !== 'enum'
        ? `Replaced "${key}" at the root by one object with the properties of ${unions}`
        : `Dropped "${key}" at the root`,
    );
  }
  const reading: Reading = { root: schema, left: maxRead };
  const { properties, required } = shapeOf(schema, reading, 0);
  if (reading.left <= 0)
    report('', `Left out alternatives: at most ${maxRead} schemas and names of properties are read in total`);
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !found.includes(key)));
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries([...properties].map(([name, schemas]) => [name, anyOfThese(schemas)])),
    ...(required.size > 0 && { required: [...required] }),
  };
}

function shapeOf(schema: JsonSchema, reading: Reading, depth: number): Shape {
  const own: Shape = {
    properties: new Map(
      Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).map(([name, each]) => [
        name,
        new Set([each]),
      ]),
    ),
    required: new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : []),
  };
  reading.left -= 1 + own.properties.size + own.required.size;
  if (depth > maxDepth) return own;
  const reference = typeof schema['$ref'] === 'string' ? lookUp(reading.root, schema['$ref']) : undefined;
  const shapes = (members: unknown) => shapesOf(members, reading, depth + 1);
  const parts = [...shapes(schema['allOf']), ...shapes([reference])];
  const unions = [schema['anyOf'], schema['oneOf']].map(shapes).filter(({ length }) => length > 0);
  return joined(own, ...parts, ...unions.map(either));
}

function shapesOf(members: unknown, reading: Reading, depth: number): Shape[] {
  const shapes: Shape[] = [];
  for (const member of Array.isArray(members) ? members : []) {
    if (reading.left <= 0) return [...shapes, unread];
    if (isObject(member)) shapes.push(shapeOf(member, reading, depth));
  }
  return shapes;
}

/** The shape of values that match all of the given shapes. */
function joined(...shapes: readonly Shape[]): Shape {
  return {
    properties: propertiesOf(shapes),
    required: new Set(shapes.flatMap(({ required }) => [...required])),
  };
}

/** The shape of values that match at least one of the given shapes. */
function either(shapes: readonly Shape[]): Shape {
  const [first, ...others] = shapes;
  const required = [...(first?.required ?? [])].filter((name) =>
    others.every((each) => each.required.has(name)),
  );
  return { properties: propertiesOf(shapes), required: new Set(required) };
}

function propertiesOf(shapes: readonly Shape[]): Map<string, ReadonlySet<unknown>> {
  const all = new Map<string, Set<unknown>>();
  for (const { properties } of shapes)
    for (const [name, schemas] of properties) {
      const known = all.get(name) ?? new Set();
      for (const each of schemas) known.add(each);
      all.set(name, known);
    }
  return all;
}

function anyOfThese(schemas: ReadonlySet<unknown>): unknown {
  const distinct = [...new Map(Array.from(schemas, (each) => [JSON.stringify(each), each])).values()];
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
}
