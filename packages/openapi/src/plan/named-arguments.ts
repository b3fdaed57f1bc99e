import { closestNames, isObject, quoted } from '@mcp/kit';
import type { Json } from '../document/place.ts';
import type { OperationOptions } from '../options.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import { type Argument, places } from './argument.ts';

/** Vendors of models accept no longer names of arguments. */
const maxNameLength = 64;

/**
 * Gives each argument a name for models. The first of several with the same name keeps it, in the order of
 * `places`; the others have their place before it: `id`, `query_id`, `body_id`.
 */
export function nameArguments(all: readonly Argument[]): Map<string, Argument> {
  const named = new Map<string, Argument>();
  for (const place of places) {
    for (const argument of all.filter((each) => each.place === place)) {
      const plain = plainName(argument.key) || place;
      const wanted = named.has(plain) ? `${place}_${plain}`.slice(0, maxNameLength) : plain;
      let name = wanted;
      for (let count = 2; named.has(name); count++) name = `${wanted.slice(0, maxNameLength - 8)}_${count}`;
      named.set(name, argument);
    }
  }
  return named;
}

function plainName(key: string): string {
  return key
    .replaceAll(/^[^\w.-]+|[^\w.-]+$/g, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .slice(0, maxNameLength);
}

/** The arguments that models see: without those that are omitted or fixed. */
export function cutArguments(
  named: ReadonlyMap<string, Argument>,
  { omit = [], fixed = {}, descriptions = {} }: OperationOptions,
): Map<string, Argument> {
  const listed = new Map(named);
  for (const name of [...omit, ...Object.keys(fixed), ...Object.keys(descriptions)]) {
    if (named.has(name)) continue;
    const near = closestNames(name, named.keys(), 1).map((each) => `; did you mean ${quoted(each)}?`);
    throw new Error(`it has no argument ${quoted(name)}${near.join('')}`);
  }
  for (const name of Object.keys(fixed)) listed.delete(name);
  for (const name of omit) {
    if (listed.get(name)?.required)
      throw new Error(`it requires the argument ${quoted(name)}: put it into \`fixed\``);
    listed.delete(name);
  }
  return listed;
}

/** The JSON Schema of the arguments. */
export function inputSchemaOf(
  listed: ReadonlyMap<string, Argument>,
  converter: SchemaConverter,
  descriptions: NonNullable<OperationOptions['descriptions']> = {},
): { [name: string]: unknown } {
  const properties = Array.from(listed, ([name, { schema, description }]) => {
    const converted = converter.convert(schema.value, schema.pointer);
    const text = Object.hasOwn(descriptions, name) ? descriptions[name] : description;
    return [name, text === undefined ? converted : { ...asObject(converted), description: text }] as const;
  });
  const required = Array.from(listed).flatMap(([name, argument]) => (argument.required ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...converter.definitions,
  };
}

function asObject(schema: unknown): Json {
  if (isObject(schema)) return schema;
  return schema === false ? { not: {} } : {};
}
