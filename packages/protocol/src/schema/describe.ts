import { messageOf } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
import { alternativesOf, resolve } from './argument-schema.ts';
import { dialectOf, unsupportedDialect } from './dialects.ts';
import { eachSchema } from './each-schema.ts';
import type { Schema } from './schema.ts';

/**
 * The JSON Schema of the values that a schema accepts (`input`) or returns (`output`). Throws an error with
 * `name` in its message if the schema cannot be expressed as JSON Schema.
 */
export function describe(schema: Schema, side: 'input' | 'output', name: string): JsonObject {
  const standard = schema['~standard'];
  let json: JsonObject;
  try {
    json = standard.jsonSchema[side]({ target: 'draft-2020-12' });
  } catch (error) {
    throw new Error(`The ${name} cannot be described as JSON Schema: ${messageOf(error)}`, { cause: error });
  }
  refuseUnsupportedDialects(json, name);
  return standard.vendor === '@mcp/protocol' ? json : (terse(json) as JsonObject);
}

/** Describes a schema of objects; adds a missing `type: "object"`. Throws for a schema of other values. */
export function describeObject(schema: Schema, name: string): JsonObject {
  const json = describe(schema, 'input', name);
  if (json['type'] === 'object') return json;
  if (json['type'] === undefined && describesObjects(json, json, 0)) return { type: 'object', ...json };
  throw new Error(`The ${name} must be a schema of objects, such as z.object({ … })`);
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

const maxNesting = 32;
/** The maximum number of steps through a schema. One that needs more contains itself, and is refused. */
const maxSteps = 10_000_000;

/** Whether all values that `part`, a part of `root`, accepts are objects. */
function describesObjects(part: unknown, root: JsonObject, depth: number): boolean {
  const schema = resolve(part, root);
  if (!schema || depth > maxNesting) return false;
  const { type, allOf } = schema;
  if (type !== undefined) return type === 'object';
  const describes = (inner: unknown) => describesObjects(inner, root, depth + 1);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return alternatives.every(describes);
  return Array.isArray(allOf) && allOf.some(describes);
}

/**
 * Removes redundant keywords from generated schemas, because clients put the schemas into the model's
 * context.
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
