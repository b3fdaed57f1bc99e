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
  refuseTwins(named, listed, descriptions);
  return listed;
}

/**
 * Refuses an argument that has the name of one that is omitted or fixed, in another place of the request: an
 * API may take it from there, and the author may not know of it. An own description shows that they do.
 */
function refuseTwins(
  named: ReadonlyMap<string, Argument>,
  listed: ReadonlyMap<string, Argument>,
  descriptions: object,
): void {
  for (const [withheld, { key }] of named) {
    if (listed.has(withheld)) continue;
    for (const [name, twin] of listed) {
      if (Object.hasOwn(descriptions, name) || twin.key.toLowerCase() !== key.toLowerCase()) continue;
      throw new Error(
        `callers could still give ${quoted(withheld)} as ${quoted(name)}, which has the same name: put it into ` +
          '`omit` or `fixed`, or describe it in `descriptions` if they may',
      );
    }
  }
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
