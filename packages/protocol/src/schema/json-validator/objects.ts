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

/** The keywords of objects. */
export const objects: Check = (schema, value, path, context) => {
  if (!isSchemaObject(value)) return undefined;
  return (
    wrongShape(schema, value, path, context) ??
    wrongProperty(schema, value, path, context) ??
    wrongDependent(schema, value, path, context)
  );
};

function wrongShape(
  schema: JsonObject,
  value: JsonObject,
  path: string,
  { spend }: Context,
): string | undefined {
  const place = placeName(path);
  const required = listOf(schema['required']);
  spend(required.length);
  const missing = required.find((name) => typeof name === 'string' && !has(value, name));
  if (missing !== undefined) return `${place} must have ${JSON.stringify(missing)}`;
  const { minProperties, maxProperties } = schema;
  if (minProperties === undefined && maxProperties === undefined) return undefined;
  const count = Object.keys(value).length;
  spend(count);
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
    if (!has(value, name)) {
      context.spend(1);
      continue;
    }
    const wrong = context.check(wanted, value[name], `${path}/${name}`);
    if (wrong !== undefined) return wrong;
  }
  const { patternProperties, additionalProperties, propertyNames } = schema;
  if (patternProperties === undefined && additionalProperties === undefined && propertyNames === undefined) {
    return undefined;
  }
  for (const [name, inner] of Object.entries(value)) {
    const at = `${path}/${name}`;
    context.spend(1);
    for (const wanted of [
      ...patternSchemas(schema, name, context),
      ...additionalSchemas(schema, name, context),
    ]) {
      const wrong = context.check(wanted, inner, at);
      if (wrong !== undefined) return wrong;
    }
    const wrong = propertyNames === undefined ? undefined : context.check(propertyNames, name, at);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function patternSchemas(schema: JsonObject, name: string, { spend, matches }: Context): unknown[] {
  const patterns = entriesOf(schema['patternProperties']);
  spend(patterns.length);
  return patterns.filter(([pattern]) => matches(pattern, name) === true).map(([, wanted]) => wanted);
}

/** Whether a schema's own `properties` or `patternProperties` are about a property. */
export function isNamed(schema: JsonObject, name: string, { spend, matches }: Context): boolean {
  const { properties } = schema;
  if (isSchemaObject(properties) && has(properties, name)) return true;
  const patterns = entriesOf(schema['patternProperties']);
  spend(patterns.length);
  return patterns.some(([pattern]) => matches(pattern, name) !== false);
}

function additionalSchemas(schema: JsonObject, name: string, context: Context): unknown[] {
  const { additionalProperties } = schema;
  return additionalProperties === undefined || isNamed(schema, name, context) ? [] : [additionalProperties];
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
  context.spend(dependent.length);
  for (const [name, wanted] of dependent) {
    if (!has(value, name)) continue;
    const rule = Array.isArray(wanted) ? { required: wanted } : wanted;
    const wrong = context.check(rule, value, path);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
