import { messageOf } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
import { dialectOf, unsupportedDialect } from './dialects.ts';
import { eachSchema } from './each-schema.ts';
import type { Schema } from './schema.ts';

/**
 * The JSON Schema of the values that a schema accepts. Throws an error with `name` in its message for
 * a schema without a JSON Schema.
 */
export function describeInput(schema: Schema, name: string): JsonObject {
  return describe(schema, 'input', name);
}

/**
 * The JSON Schema of the values that a schema returns. Throws an error with `name` in its message for
 * a schema without a JSON Schema.
 */
export function describeOutput(schema: Schema, name: string): JsonObject {
  return describe(schema, 'output', name);
}

/**
 * Like {@link describeInput}, for a schema of objects; adds `type: "object"` if it is missing. Throws for a
 * schema that accepts other values.
 */
export function describeObject(schema: Schema, name: string): JsonObject {
  const json = describeInput(schema, name);
  if (json['type'] === 'object') return json;
  if (json['type'] === undefined && describesObjects(json, json, 0)) return { type: 'object', ...json };
  throw new Error(`The ${name} must be a schema of objects, such as z.object({ … })`);
}

function describe(schema: Schema, side: 'input' | 'output', name: string): JsonObject {
  const standard = schema['~standard'];
  let json: JsonObject;
  try {
    json = standard.jsonSchema[side]({ target: 'draft-2020-12' });
  } catch (error) {
    throw new Error(`The ${name} cannot be described as JSON Schema: ${messageIn(error)}`, { cause: error });
  }
  refuseUnsupportedDialects(json, name);
  return standard.vendor === '@mcp/protocol' ? json : (terse(json) as JsonObject);
}

function refuseUnsupportedDialects(json: JsonObject, name: string): void {
  let steps = 0;
  const check = ({ $schema }: JsonObject, _outer: unknown, isKnown: boolean) => {
    if (!isKnown || $schema === undefined || dialectOf($schema)) return;
    throw new Error(`The ${name} has an ${unsupportedDialect($schema)}`);
  };
  eachSchema<unknown>(json, undefined, check, (more) => {
    steps += more;
    if (steps > maxSteps) throw new Error(`The ${name} is too large, or contains itself`);
  });
}

function messageIn(error: unknown): string {
  return messageOf(error);
}

const maxNesting = 32;
/**
 * The maximum number of steps for visiting a schema. No schema that a client would accept needs as many; one
 * that contains itself does.
 */
const maxSteps = 10_000_000;

/** Whether all values that `schema`, a part of `root`, accepts are objects. */
function describesObjects(schema: unknown, root: JsonObject, depth: number): boolean {
  if (typeof schema !== 'object' || schema === null || depth > maxNesting) return false;
  const { type, anyOf, oneOf, allOf, $ref } = schema as JsonObject;
  if (type !== undefined) return type === 'object';
  const describes = (part: unknown) => describesObjects(part, root, depth + 1);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return alternatives.length > 0 && alternatives.every(describes);
  if (Array.isArray(allOf)) return allOf.some(describes);
  return typeof $ref === 'string' && describes(definitionOf($ref, root));
}

function definitionOf(ref: string, { $defs }: JsonObject): unknown {
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(ref) ?? [];
  return name === undefined ? undefined : ($defs as JsonObject | undefined)?.[name];
}

/**
 * Returns a generated schema without redundant keywords: the default dialect, and the bounds of safe integers
 * on every integer. Each of them costs the model a part of its context.
 */
function terse(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(terse);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) =>
      !(key === '$schema' && value === 'https://json-schema.org/draft/2020-12/schema') &&
      !(key === 'maximum' && value === Number.MAX_SAFE_INTEGER) &&
      !(key === 'minimum' && value === Number.MIN_SAFE_INTEGER),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, terse(value)]));
}
