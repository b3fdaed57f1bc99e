import {
  type Check,
  type Context,
  entriesOf,
  has,
  isSchemaObject,
  type JsonObject,
  listOf,
  placeName,
} from './check.ts';
import { matches } from './pattern.ts';

/** The keywords of objects. */
export const objects: Check = (schema, value, path, context) => {
  if (!isSchemaObject(value)) return undefined;
  return (
    wrongShape(schema, value, path) ??
    wrongProperty(schema, value, path, context) ??
    wrongDependent(schema, value, path, context)
  );
};

function wrongShape(schema: JsonObject, value: JsonObject, path: string): string | undefined {
  const place = placeName(path);
  const missing = listOf(schema['required']).find((name) => typeof name === 'string' && !has(value, name));
  if (missing !== undefined) return `${place} must have ${JSON.stringify(missing)}`;
  const { minProperties, maxProperties } = schema;
  if (minProperties === undefined && maxProperties === undefined) return undefined;
  const count = Object.keys(value).length;
  if (typeof minProperties === 'number' && count < minProperties) {
    return `${place} must have at least ${minProperties} properties`;
  }
  if (typeof maxProperties === 'number' && count > maxProperties) {
    return `${place} must have at most ${maxProperties} properties`;
  }
  return undefined;
}

function wrongProperty(
  schema: JsonObject,
  value: JsonObject,
  path: string,
  context: Context,
): string | undefined {
  for (const [name, wanted] of entriesOf(schema['properties'])) {
    const wrong = has(value, name) ? context.check(wanted, value[name], `${path}/${name}`) : undefined;
    if (wrong !== undefined) return wrong;
  }
  const { patternProperties, additionalProperties, propertyNames } = schema;
  if (patternProperties === undefined && additionalProperties === undefined && propertyNames === undefined) {
    return undefined;
  }
  for (const [name, inner] of Object.entries(value)) {
    const at = `${path}/${name}`;
    for (const wanted of [...patternSchemas(schema, name), ...additionalSchemas(schema, name)]) {
      const wrong = context.check(wanted, inner, at);
      if (wrong !== undefined) return wrong;
    }
    const wrong = propertyNames === undefined ? undefined : context.check(propertyNames, name, at);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function patternSchemas(schema: JsonObject, name: string): unknown[] {
  return entriesOf(schema['patternProperties'])
    .filter(([pattern]) => matches(pattern, name) === true)
    .map(([, wanted]) => wanted);
}

/** Whether a schema's own `properties` or `patternProperties` are about a property. */
export function isNamed(schema: JsonObject, name: string): boolean {
  const { properties } = schema;
  if (isSchemaObject(properties) && has(properties, name)) return true;
  return entriesOf(schema['patternProperties']).some(([pattern]) => matches(pattern, name) !== false);
}

function additionalSchemas(schema: JsonObject, name: string): unknown[] {
  const { additionalProperties } = schema;
  return additionalProperties === undefined || isNamed(schema, name) ? [] : [additionalProperties];
}

function wrongDependent(
  schema: JsonObject,
  value: JsonObject,
  path: string,
  context: Context,
): string | undefined {
  const dependent = [
    ...entriesOf(schema['dependentRequired']),
    ...entriesOf(schema['dependentSchemas']),
    ...entriesOf(schema['dependencies']),
  ];
  for (const [name, wanted] of dependent) {
    if (!has(value, name)) continue;
    const rule = Array.isArray(wanted) ? { required: wanted } : wanted;
    const wrong = context.check(rule, value, path);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
