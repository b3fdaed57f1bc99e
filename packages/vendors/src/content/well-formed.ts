import { isObject } from '@mcp/kit';
import type { JsonSchema } from './json-schema.ts';
import { type Report, rewriteSchema } from './rewrite-schema.ts';

const typeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value) && value.length > 0;
const isType = (value: unknown) => typeNames.includes(value as string);
const isSchema = (value: unknown) => isObject(value) || typeof value === 'boolean';
const isSchemas = (value: unknown) => isList(value) && (value as unknown[]).every(isSchema);

/** For each keyword, a check of its value and a description of what is expected. */
const checks: Readonly<Record<string, readonly [(value: unknown) => boolean, expected: string]>> = {
  type: [
    (value) => isType(value) || (isList(value) && (value as unknown[]).every(isType)),
    'a type of JSON Schema',
  ],
  description: [isText, 'text'],
  enum: [isList, 'a list of values'],
  required: [(value) => Array.isArray(value) && value.every(isText), 'a list of names'],
  items: [(value) => isSchema(value) || Array.isArray(value), 'a schema'],
  properties: [isObject, 'an object'],
  anyOf: [isSchemas, 'a list of schemas'],
  oneOf: [isSchemas, 'a list of schemas'],
  allOf: [isSchemas, 'a list of schemas'],
};

/**
 * Removes keywords with invalid values from a schema, because of which vendors would refuse the whole
 * request.
 */
export function wellFormed(schema: JsonSchema, report: Report): JsonSchema {
  return rewriteSchema(schema, (each, path) => withoutWrongKeywords(each, path, report), report);
}

function withoutWrongKeywords(schema: JsonSchema, path: string, report: Report): JsonSchema {
  const right = Object.entries(schema).filter(([key, value]) => {
    const [isRight, expected] = (Object.hasOwn(checks, key) && checks[key]) || [];
    if (!isRight || isRight(value)) return true;
    report(path, `Dropped "${key}": it is not ${expected}`);
    return false;
  });
  const { properties } = Object.fromEntries(right);
  if (!isObject(properties)) return Object.fromEntries(right);
  const members = Object.entries(properties).map(([name, each]): [string, unknown] => {
    if (isSchema(each)) return [name, each];
    report(path, `Replaced the schema of the property "${name}" by {}: it is not a schema`);
    return [name, {}];
  });
  return Object.fromEntries(
    right.map(([key, value]) => [key, key === 'properties' ? Object.fromEntries(members) : value]),
  );
}

/** Like `wellFormed`, with the type "object" at the root: vendors refuse a schema without it. */
export function objectSchema(schema: unknown, report: Report): JsonSchema {
  const { type, ...rest } = wellFormed(isObject(schema) ? schema : {}, report);
  if (type === 'object') return wellFormed(schema as JsonSchema, () => {});
  report(
    '',
    type === undefined
      ? 'Added the type "object" at the root'
      : `Replaced the type ${JSON.stringify(type)} at the root by "object"`,
  );
  return { type: 'object', ...rest };
}

/** Returns an object schema with `properties`; adds empty ones if the given schema has none. */
export function withProperties(schema: JsonSchema): JsonSchema {
  return isObject(schema['properties']) ? schema : { ...schema, properties: {} };
}
