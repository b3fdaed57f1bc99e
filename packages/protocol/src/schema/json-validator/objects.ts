import { isObject } from '@mcp/kit';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { type Check, entriesOf, has, listOf, membersOf, placeName, stepsOf } from './check.ts';
import { shown } from './values.ts';

export const objectKeywords = [
  'required',
  'minProperties',
  'maxProperties',
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
];

export const objects: Check = (schema, value, path, context, evaluated) => {
  if (!isObject(value)) return undefined;
  return (
    wrongShape(schema, value, path, context, evaluated) ??
    wrongProperty(schema, value, path, context, evaluated) ??
    wrongDependent(schema, value, path, context, evaluated)
  );
};

/** A {@link Check} of an object. */
type ObjectCheck = (
  schema: JsonObject,
  value: JsonObject,
  ...rest: Parameters<Check> extends [unknown, unknown, ...infer Rest] ? Rest : never
) => string | undefined;

const wrongShape: ObjectCheck = (schema, value, path, { budget }) => {
  const { required, minProperties, maxProperties } = schema;
  const wrong = missing(required, value, path, budget);
  if (wrong !== undefined) return wrong;
  if (minProperties === undefined && maxProperties === undefined) return undefined;
  const count = Object.keys(value).length;
  budget.spend(2 * count);
  if (typeof minProperties === 'number' && count < minProperties) {
    return `${placeName(path)} must have at least ${minProperties} properties`;
  }
  if (typeof maxProperties === 'number' && count > maxProperties) {
    return `${placeName(path)} must have at most ${maxProperties} properties`;
  }
  return undefined;
};

function missing(
  required: unknown,
  value: JsonObject,
  path: string,
  budget: { spend(steps: number): void },
): string | undefined {
  const names = listOf(required);
  budget.spend(stepsOf(names.length));
  const name = names.find((each) => typeof each === 'string' && !has(value, each));
  return name === undefined ? undefined : `${placeName(path)} must have ${shown(name)}`;
}

const wrongProperty: ObjectCheck = (schema, value, path, context, evaluated) => {
  const { properties, patternProperties, additionalProperties, propertyNames } = schema;
  for (const [name, wanted] of entriesOf(properties, context.budget)) {
    if (!has(value, name)) continue;
    evaluated?.add(name);
    const wrong = context.check(wanted, value[name], `${path}/${name}`);
    if (wrong !== undefined) return wrong;
  }
  if (patternProperties === undefined && additionalProperties === undefined && propertyNames === undefined) {
    return undefined;
  }
  const patterns = entriesOf(patternProperties, context.budget);
  for (const [name, inner] of membersOf(value, context.budget)) {
    const at = `${path}/${name}`;
    let isNamed = isObject(properties) && has(properties, name);
    context.budget.spend(patterns.length);
    for (const [pattern, wanted] of patterns) {
      const matches = context.matches(pattern, name);
      if (matches === false) continue;
      // If the pattern is invalid or slow (undefined), the property counts as matched: it is not additional.
      isNamed = true;
      evaluated?.add(name);
      const wrong = matches ? context.check(wanted, inner, at) : undefined;
      if (wrong !== undefined) return wrong;
    }
    if (!isNamed && additionalProperties !== undefined) {
      const wrong = context.check(additionalProperties, inner, at);
      if (wrong !== undefined) return wrong;
    }
    const wrong = propertyNames === undefined ? undefined : context.check(propertyNames, name, at);
    if (wrong !== undefined) return wrong;
  }
  if (additionalProperties !== undefined) evaluated?.addAll();
  return undefined;
};

const wrongDependent: ObjectCheck = (schema, value, path, context, evaluated) => {
  const { budget } = context;
  for (const [name, required] of entriesOf(schema['dependentRequired'], budget)) {
    const wrong = has(value, name) ? missing(required, value, path, budget) : undefined;
    if (wrong !== undefined) return wrong;
  }
  for (const [name, wanted] of entriesOf(schema['dependentSchemas'], budget)) {
    const wrong = has(value, name) ? context.check(wanted, value, path, evaluated) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};
