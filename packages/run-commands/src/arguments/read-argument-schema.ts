import { quoted } from '@mcp/kit';
import type { Path, ValueReader } from '@mcp/kit/jsonc';
import {
  type ArgumentSchema,
  argumentTypes as types,
  defaultMaxItems,
  defaultMaxLength,
  faultOf,
} from './argument-schema.ts';

const shared = ['type', 'description', 'default'];
const keywords: Readonly<Record<(typeof types)[number], readonly string[]>> = {
  string: [...shared, 'enum', 'pattern', 'minLength', 'maxLength', 'allowDash'],
  integer: [...shared, 'enum', 'minimum', 'maximum', 'allowDash'],
  number: [...shared, 'enum', 'minimum', 'maximum', 'allowDash'],
  boolean: shared,
  array: [...shared, 'items', 'minItems', 'maxItems'],
};
/** The greatest `maxLength` that the schema of a string may set. */
const longest = 100_000;
/** The greatest `maxItems` that the schema of an array may set. */
const mostItems = 10_000;

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
