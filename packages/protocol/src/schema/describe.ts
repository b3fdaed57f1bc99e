import type { Schema } from './schema.ts';

type JsonObject = { [key: string]: unknown };

/** The JSON Schema a value must fit when it comes in. */
export function describeInput(schema: Schema): JsonObject {
  return describe(schema, 'input');
}

/** The JSON Schema of a value that goes out. */
export function describeOutput(schema: Schema): JsonObject {
  return describe(schema, 'output');
}

function describe(schema: Schema, side: 'input' | 'output'): JsonObject {
  const standard = schema['~standard'];
  const json = standard.jsonSchema[side]({ target: 'draft-2020-12' });
  return standard.vendor === '@mcp/protocol' ? json : (terse(json) as JsonObject);
}

/**
 * A generated schema without what says nothing: the dialect that is the default anyway, and the
 * bounds of safe integers on every integer. A model reads each of these bytes.
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
