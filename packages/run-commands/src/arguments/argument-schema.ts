import { quoted } from '@mcp/kit';
import { matchingTexts } from '../text/matching-texts.ts';

/** The schema of one argument: the keywords of JSON Schema that a command may use, and `allowDash`. */
export interface ArgumentSchema {
  readonly type: (typeof argumentTypes)[number];
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly enum?: readonly (string | number)[] | undefined;
  readonly pattern?: RegExp | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength: number;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly items?: ArgumentSchema | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems: number;
  /** Whether a value may start with `-`, although the program may then take it for an option. */
  readonly allowDash: boolean;
}

export type Value = string | number | boolean;
export type Values = { readonly [name: string]: Value | readonly Value[] };

export const argumentTypes = ['string', 'integer', 'number', 'boolean', 'array'] as const;
/** The default maximum number of characters of a string. */
export const defaultMaxLength = 4_096;
/** The default maximum number of elements of an array. */
export const defaultMaxItems = 100;
/** How many milliseconds the comparison of a value with a pattern may take; then the value is refused. */
const maxPatternMs = 1_000;

/** Returns the schema in the form of JSON Schema, for callers. */
export function describeArgument(schema: ArgumentSchema): { [keyword: string]: unknown } {
  const {
    type,
    description,
    default: standard,
    items,
    pattern,
    minLength,
    minimum,
    maximum,
    minItems,
  } = schema;
  const { maxLength, maxItems } = schema;
  return {
    type,
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
    ...(schema.enum && { enum: schema.enum }),
    ...(pattern && { pattern: pattern.source }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== defaultMaxLength && { maxLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(items && { items: describeArgument(items) }),
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== defaultMaxItems && { maxItems }),
  };
}

/** Returns why a value does not fit a schema; undefined if it fits. */
export function faultOf(schema: ArgumentSchema, value: unknown): string | undefined {
  if (schema.enum && !schema.enum.some((each) => each === value))
    return `must be one of ${schema.enum.map((each) => JSON.stringify(each)).join(', ')}, not ${shown(value)}`;
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? faultOfText(schema, value) : `must be a string, not ${shown(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `must be true or false, not ${shown(value)}`;
    case 'array':
      return Array.isArray(value) ? faultOfList(schema, value) : `must be a list, not ${shown(value)}`;
    default:
      return faultOfNumber(schema, value);
  }
}

function faultOfText(schema: ArgumentSchema, value: string): string | undefined {
  const { pattern, minLength = 0, maxLength } = schema;
  if (value.length > maxLength) return `has ${value.length} characters, more than ${maxLength}`;
  if (value.length < minLength) return `has ${value.length} characters, fewer than ${minLength}`;
  if (value.includes('\0')) return `contains a NUL, which no argument of a program can: ${shown(value)}`;
  if (!value.isWellFormed()) return `contains half of a surrogate pair: ${shown(value)}`;
  if (!pattern) return undefined;
  const { found, isComplete } = matchingTexts(pattern, [value], maxPatternMs);
  if (!isComplete)
    return `takes too long to compare with ${pattern.source}; pass a shorter one than ${shown(value)}`;
  return found.length > 0 ? undefined : `does not match ${pattern.source}: ${shown(value)}`;
}

function faultOfNumber(schema: ArgumentSchema, value: unknown): string | undefined {
  const { type, minimum = -Infinity, maximum = Infinity } = schema;
  if (
    typeof value !== 'number' ||
    !Number.isFinite(value) ||
    (type === 'integer' && !Number.isInteger(value))
  )
    return `must be ${type === 'integer' ? 'a whole number' : 'a number'}, not ${shown(value)}`;
  if (value < minimum) return `must be at least ${minimum}, not ${value}`;
  if (value > maximum) return `must be at most ${maximum}, not ${value}`;
  return undefined;
}

function faultOfList(schema: ArgumentSchema, values: readonly unknown[]): string | undefined {
  const { items, minItems = 0, maxItems } = schema;
  if (values.length > maxItems) return `has ${values.length} values, more than ${maxItems}`;
  if (values.length < minItems) return `has ${values.length} values, fewer than ${minItems}`;
  for (const [index, value] of values.entries()) {
    const fault = items && faultOf(items, value);
    if (fault !== undefined) return `[${index}] ${fault}`;
  }
  return undefined;
}

/** A value in double quotes, for a message. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? quoted(value, 100) : quoted(JSON.stringify(value) ?? 'nothing', 100);
}
