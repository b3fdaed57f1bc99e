import { inlineReferences, rewriteSchema } from './rewrite-schema.ts';
import { rootAsObject } from './root-object.ts';
import { isObject, type Schema } from './vendor.ts';

/**
 * A tool's schema for words of a person: its properties at the root, with the types that references name. Keywords that
 * no schema may have so are left out.
 */
export function plainSchema(schema: Schema): Schema {
  const ignore = () => {};
  return rewriteSchema(inlineReferences(rootAsObject(schema, ignore), ignore), wellFormed, ignore);
}

const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value);
const isSchemas = (value: unknown) => Array.isArray(value) && value.every(isObject);

/** What the values of keywords must be. */
const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
  description: isText,
  enum: isList,
  required: (value) => Array.isArray(value) && value.every(isText),
  items: isObject,
  properties: isObject,
  anyOf: isSchemas,
  oneOf: isSchemas,
  allOf: isSchemas,
};

function wellFormed(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(
    ([key, value]) => !Object.hasOwn(checks, key) || checks[key]!(value),
  );
  const { properties, ...rest } = Object.fromEntries(kept);
  if (!isObject(properties)) return rest;
  const members = Object.entries(properties).map(([name, each]) => [name, isObject(each) ? each : {}]);
  return { ...rest, properties: Object.fromEntries(members) };
}
