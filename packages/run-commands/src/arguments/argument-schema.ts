import { quoted } from '@mcp/kit';
import { type Path, type ValueReader } from '@mcp/kit/jsonc';
import { matchingTexts } from '../text/matching-texts.ts';

/** The schema of one argument: the keywords of JSON Schema that a command may use, and `allowDash`. */
export interface ArgumentSchema {
  readonly type: (typeof types)[number];
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

const types = ['string', 'integer', 'number', 'boolean', 'array'] as const;
const shared = ['type', 'description', 'default'];
const keywords: Readonly<Record<(typeof types)[number], readonly string[]>> = {
  string: [...shared, 'enum', 'pattern', 'minLength', 'maxLength', 'allowDash'],
  integer: [...shared, 'enum', 'minimum', 'maximum', 'allowDash'],
  number: [...shared, 'enum', 'minimum', 'maximum', 'allowDash'],
  boolean: shared,
  array: [...shared, 'items', 'minItems', 'maxItems'],
};
/** The default maximum lengths of a text and of an array. A schema may set at most `longest`. */
const defaultMaxLength = 4_096;
const defaultMaxItems = 100;
const longest = 100_000;
const mostItems = 10_000;
/** How many milliseconds the comparison of a value with a pattern may take. */
const maxPatternMs = 1_000;

/** Reads the schema of an argument. Returns undefined if the schema has a fault, which `reader` collects. */
export function readArgumentSchema(
  given: unknown,
  path: Path,
  reader: ValueReader,
  isItem = false,
): ArgumentSchema | undefined {
  const before = reader.faults.length;
  const known = reader.object(given, path, [...new Set(Object.values(keywords).flat())]);
  if (!known) return undefined;
  const allowed = isItem ? types.filter((each) => each !== 'array') : types;
  const type = reader.choice(known['type'], [...path, 'type'], allowed);
  if (known['type'] === undefined)
    reader.fault([...path, 'type'], `Missing: expected one of ${allowed.join(', ')}`);
  if (type === undefined) return undefined;
  for (const key of Object.keys(known).filter((each) => !keywords[type].includes(each))) {
    if (Object.values(keywords).flat().includes(key))
      reader.fault([...path, key], `Does not apply to the type ${type}`);
  }
  const at = (key: string) => [known[key], [...path, key]] as const;
  const schema: ArgumentSchema = {
    type,
    description: known['description'] === undefined ? undefined : reader.text(...at('description')),
    default: known['default'],
    enum: readEnum(...at('enum'), type, reader),
    pattern: reader.pattern(...at('pattern')),
    minLength: reader.integer(...at('minLength'), 0, longest),
    maxLength: reader.integer(...at('maxLength'), 0, longest) ?? defaultMaxLength,
    minimum: readNumber(...at('minimum'), reader),
    maximum: readNumber(...at('maximum'), reader),
    items:
      type === 'array' ? readArgumentSchema(known['items'], [...path, 'items'], reader, true) : undefined,
    minItems: reader.integer(...at('minItems'), 0, mostItems),
    maxItems: reader.integer(...at('maxItems'), 1, mostItems) ?? defaultMaxItems,
    allowDash: reader.flag(...at('allowDash')) ?? false,
  };
  if (reader.faults.length > before) return undefined;
  const fault = schema.default === undefined ? undefined : faultOf(schema, schema.default);
  if (fault !== undefined) reader.fault([...path, 'default'], fault);
  return schema;
}

function readEnum(
  value: unknown,
  path: Path,
  type: string,
  reader: ValueReader,
): readonly (string | number)[] | undefined {
  if (value === undefined) return undefined;
  const wanted = type === 'string' ? 'string' : 'number';
  const values = reader.list(value, path);
  const found = values.filter((each) => typeof each === wanted) as (string | number)[];
  if (values.length === 0 || found.length < values.length)
    reader.fault(path, `Expected a list of values of the type ${wanted}`);
  return found;
}

function readNumber(value: unknown, path: Path, reader: ValueReader): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  reader.fault(path, `Expected a number, not ${quoted(JSON.stringify(value), 80)}`);
  return undefined;
}

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
      return typeof value === 'string' ? faultOfText(schema, value) : `must be a text, not ${shown(value)}`;
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
  return found.length > 0 ? undefined : `must match ${pattern.source}, not ${shown(value)}`;
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
