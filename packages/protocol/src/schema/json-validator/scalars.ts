import { isObject } from '@mcp/kit';
import { type Check, type Context, listOf, placeName } from './check.ts';
import { includes, isEqual, shown } from './values.ts';

export const scalarKeywords = [
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
];

/** Checks `type`, `enum`, `const`, and the keywords of numbers and strings. */
export const scalars: Check = (schema, value, path, context) => {
  const place = placeName(path);
  const { type } = schema;
  context.budget.spend(listOf(type).length);
  const isOfType = Array.isArray(type) ? type.some((each) => isType(value, each)) : isType(value, type);
  if (type !== undefined && !isOfType) {
    return `${place} must be of type ${typeof type === 'string' ? type : listOf(type).map(String).join(' or ')}`;
  }
  const { enum: values, const: only } = schema;
  if (Array.isArray(values) && !includes(values, value, context.budget)) {
    return `${place} must be one of ${shown(values)}`;
  }
  if (only !== undefined && !isEqual(only, value, context.budget)) return `${place} must be ${shown(only)}`;
  if (typeof value === 'number') return wrongNumber(schema, value, place);
  if (typeof value === 'string') return wrongString(schema, value, place, context);
  return undefined;
};

function isType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function wrongNumber(
  schema: { readonly [key: string]: unknown },
  value: number,
  place: string,
): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) return `${place} must be at least ${minimum}`;
  if (typeof maximum === 'number' && value > maximum) return `${place} must be at most ${maximum}`;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) {
    return `${place} must be more than ${exclusiveMinimum}`;
  }
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    return `${place} must be less than ${exclusiveMaximum}`;
  }
  if (typeof multipleOf === 'number' && !isMultiple(value, multipleOf)) {
    return `${place} must be a multiple of ${multipleOf}`;
  }
  return undefined;
}

/**
 * Whether `value` is a multiple of `of`. For fractions, a small deviation of the quotient from an integer is
 * accepted, because it may be a rounding error.
 */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  if (!Number.isFinite(quotient)) return true;
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0;
  return Math.abs(quotient - Math.round(quotient)) <= 2 * Number.EPSILON * Math.abs(quotient);
}

function wrongString(
  schema: { readonly [key: string]: unknown },
  value: string,
  place: string,
  { budget, matches }: Context,
): string | undefined {
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === 'number' || typeof maxLength === 'number') {
    budget.read(value.length);
    let length = 0;
    for (const _ of value) length++;
    if (typeof minLength === 'number' && length < minLength)
      return `${place} must have at least ${minLength} characters`;
    if (typeof maxLength === 'number' && length > maxLength)
      return `${place} must have at most ${maxLength} characters`;
  }
  if (typeof pattern === 'string' && matches(pattern, value) === false)
    return `${place} must match ${pattern}`;
  return undefined;
}
