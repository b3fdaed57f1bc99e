import { isObject } from '@mcp/kit';
import type { JsonSchema } from './json-schema.ts';
import { lookUp, type Report } from './rewrite-schema.ts';

/** What is known of the root: the schemas that each property may have, and the names that every value has. */
interface Shape {
  readonly properties: ReadonlyMap<string, readonly unknown[]>;
  readonly required: ReadonlySet<string>;
}

const maxDepth = 16;

/**
 * A schema whose root is a plain object, for vendors that refuse these keywords there: `anyOf`, `oneOf` and `allOf` by
 * default. It allows what any of the alternatives allows. References within the document are followed.
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
  const { properties, required } = shapeOf(schema, schema, 0);
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !found.includes(key)));
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries([...properties].map(([name, schemas]) => [name, anyOfThese(schemas)])),
    ...(required.size > 0 && { required: [...required] }),
  };
}

function shapeOf(schema: JsonSchema, root: JsonSchema, depth: number): Shape {
  const own: Shape = {
    properties: new Map(
      Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).map(([name, each]) => [
        name,
        [each],
      ]),
    ),
    required: new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : []),
  };
  if (depth > maxDepth) return own;
  const reference = typeof schema['$ref'] === 'string' ? lookUp(root, schema['$ref']) : undefined;
  const shapesOf = (members: unknown) =>
    Array.isArray(members) ? members.filter(isObject).map((member) => shapeOf(member, root, depth + 1)) : [];
  const parts = [...shapesOf(schema['allOf']), ...(reference ? [shapeOf(reference, root, depth + 1)] : [])];
  const unions = [schema['anyOf'], schema['oneOf']].map(shapesOf).filter(({ length }) => length > 0);
  return joined(own, ...parts, ...unions.map(either));
}

/** What values have that fit all of these. */
function joined(...shapes: readonly Shape[]): Shape {
  return {
    properties: propertiesOf(shapes),
    required: new Set(shapes.flatMap(({ required }) => [...required])),
  };
}

/** What values have that fit one of these. */
function either(shapes: readonly Shape[]): Shape {
  const [first, ...others] = shapes;
  const required = [...(first?.required ?? [])].filter((name) =>
    others.every((each) => each.required.has(name)),
  );
  return { properties: propertiesOf(shapes), required: new Set(required) };
}

function propertiesOf(shapes: readonly Shape[]): Map<string, readonly unknown[]> {
  const all = new Map<string, readonly unknown[]>();
  for (const { properties } of shapes)
    for (const [name, schemas] of properties) all.set(name, [...(all.get(name) ?? []), ...schemas]);
  return all;
}

function anyOfThese(schemas: readonly unknown[]): unknown {
  const distinct = [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()];
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
}
