import type { Path, ValueReader } from '@mcp/kit/jsonc';
import { faultOfValue, type ParameterValue, parameterTypes, type QueryParameter } from './stored-query.ts';

const anyKeys = ['type', 'description', 'default'];
const keys: { readonly [type in QueryParameter['type']]: readonly string[] } = {
  string: [...anyKeys, 'enum'],
  integer: [...anyKeys, 'enum', 'minimum', 'maximum'],
  number: [...anyKeys, 'enum', 'minimum', 'maximum'],
  boolean: anyKeys,
};

/** Reads one parameter. Returns undefined if it has a fault, which `reader` collects. */
export function readParameter(given: unknown, path: Path, reader: ValueReader): QueryParameter | undefined {
  const before = reader.faults.length;
  const known = reader.object(given, path, keys.integer);
  if (!known) return undefined;
  const type = reader.choice(known['type'], [...path, 'type'], parameterTypes);
  if (known['type'] === undefined)
    reader.fault([...path, 'type'], `Missing: expected one of ${parameterTypes.join(', ')}`);
  if (type === undefined) return undefined;
  for (const key of Object.keys(known).filter((each) => !keys[type].includes(each)))
    if (keys.integer.includes(key)) reader.fault([...path, key], `Does not apply to the type ${type}`);
  const parameter: QueryParameter = {
    type,
    description:
      known['description'] === undefined
        ? undefined
        : reader.text(known['description'], [...path, 'description']),
    minimum: readNumber(known['minimum'], [...path, 'minimum'], reader),
    maximum: readNumber(known['maximum'], [...path, 'maximum'], reader),
  };
  const values = known['enum'] === undefined ? undefined : reader.list(known['enum'], [...path, 'enum']);
  if (values?.length === 0) reader.fault([...path, 'enum'], 'Expected at least one value');
  for (const [index, value] of values?.entries() ?? []) {
    const fault = faultOfValue(parameter, value);
    if (fault !== undefined) reader.fault([...path, 'enum', index], fault);
  }
  const whole = { ...parameter, enum: values as QueryParameter['enum'] };
  const standard = known['default'] as ParameterValue | null | undefined;
  const fault = standard === undefined || standard === null ? undefined : faultOfValue(whole, standard);
  if (fault !== undefined) reader.fault([...path, 'default'], fault);
  return reader.faults.length > before ? undefined : { ...whole, default: standard };
}

function readNumber(value: unknown, path: Path, reader: ValueReader): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  reader.fault(path, 'Expected a number');
  return undefined;
}
