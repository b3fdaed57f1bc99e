import { textOf } from './text-of.ts';
import type { Json } from './types.ts';

/** The type that a schema allows, in words for a label. */
export function typeText({ title, type, format, enum: values, const: only }: Json): string {
  const base = Array.isArray(type)
    ? type.join(' | ')
    : textOf(type ?? (values || only !== undefined ? 'choice' : 'any'));
  return [typeof title === 'string' ? title : '', format === undefined ? base : `${base}, ${textOf(format)}`]
    .filter(Boolean)
    .join(' · ');
}

/** The first example of a schema; empty without one. */
export function exampleOf({ examples }: Json): string {
  return Array.isArray(examples) && examples.length > 0 ? textOf(examples[0]) : '';
}

/** The only values that a schema allows; undefined if it does not list them. */
export function choicesOf({ enum: values, const: only, oneOf, anyOf }: Json): readonly unknown[] | undefined {
  if (Array.isArray(values)) return values;
  if (only !== undefined) return [only];
  const titled = [oneOf, anyOf].find(Array.isArray) as Json[] | undefined;
  return titled?.every((each) => isObject(each) && 'const' in each)
    ? titled.map((each) => each['const'])
    : undefined;
}

/** How many schemas more may be followed or merged: a schema may refer to itself, also several times. */
export interface Budget {
  left: number;
}

/** Follows a reference within the schema, and merges `allOf`. */
export function resolved(schema: Json, root: Json, budget: Budget = { left: 100 }): Json {
  const { $ref: ref, allOf, ...rest } = schema;
  if (budget.left-- <= 0) return rest;
  if (typeof ref === 'string' && ref.startsWith('#')) {
    const keys = ref
      .slice(1)
      .split('/')
      .filter(Boolean)
      .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
    const target = keys.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), root);
    return isObject(target) ? { ...resolved(target, root, budget), ...rest } : rest;
  }
  if (!Array.isArray(allOf)) return schema;
  return Object.assign(
    {},
    ...allOf.map((each) => resolved(isObject(each) ? each : {}, root, budget)),
    rest,
  ) as Json;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
