import { isObject, messageOf } from '@mcp/kit';
import type { Path, ValueReader } from '@mcp/kit/jsonc';
import { checkedJsonSchema } from '@mcp/protocol/json-schema';
import { stepsOf } from '../command-line/result-options.ts';
import { type Assertion, type Check, type Expected, type Part, parts } from './call-file.ts';

const assertions = ['equals', 'contains', 'matches', 'schema'] as const;

/** Reads what the result of a call must be; without it, the call must succeed. */
export function expectedOf(value: unknown, path: Path, reader: ValueReader): Expected {
  const given =
    value === undefined ? {} : reader.object(value, path, ['error', ...parts, 'maxMs', 'maxBytes']);
  const { error = false, maxMs, maxBytes } = given ?? {};
  if (typeof error !== 'boolean' && !Number.isInteger(error))
    reader.fault([...path, 'error'], 'Expected true, false or the code of a JSON-RPC error');
  return {
    error: error as boolean | number,
    checks: parts.flatMap((part) => checksOf(part, given?.[part], [...path, part], reader)),
    maxMs: reader.integer(maxMs, [...path, 'maxMs'], 1, 2 ** 31 - 1),
    maxBytes: reader.integer(maxBytes, [...path, 'maxBytes'], 0, Number.MAX_SAFE_INTEGER),
    path,
  };
}

/** What a check compares with, in which variables have their values. */
export function operandsOf({ test }: Check): unknown {
  if ('equals' in test) return test.equals;
  return 'contains' in test ? test.contains : undefined;
}

/** The checks of one part: of an object, or of a list of objects. */
function checksOf(part: Part, value: unknown, path: Path, reader: ValueReader): readonly Check[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.length === 0)
    reader.fault(path, 'Expected at least one check: an empty list is always true');
  if (Array.isArray(value))
    return value.flatMap((each, index) => checksOf(part, each, [...path, index], reader));
  const given = reader.object(value, path, [...(part === 'text' ? [] : ['at']), ...assertions]);
  if (!given) return [];
  const tests = assertions.filter((name) => given[name] !== undefined);
  if (tests.length === 0) reader.fault(path, `Expected one of ${assertions.join(', ')}`);
  const at = stepsAt(given['at'], [...path, 'at'], reader);
  return tests.flatMap((name) => {
    const test = assertionOf(name, given[name], [...path, name], reader);
    return test ? [{ part, at, test, path: [...path, name] }] : [];
  });
}

function stepsAt(value: unknown, path: Path, reader: ValueReader): Check['at'] {
  const text = value === undefined ? undefined : reader.text(value, path);
  if (text === undefined) return [];
  try {
    return stepsOf(text);
  } catch {
    reader.fault(path, `Expected a path such as a.b, items[0].id or items[*].id, not "${text}"`);
    return [];
  }
}

function assertionOf(
  name: (typeof assertions)[number],
  value: unknown,
  path: Path,
  reader: ValueReader,
): Assertion | undefined {
  if (name === 'equals') return { equals: value };
  if (name === 'contains') {
    if (isInEvery(value))
      reader.fault(path, `Expected a part, not ${JSON.stringify(value)}, which is always true`);
    return { contains: value };
  }
  if (name === 'matches') {
    const matches = reader.pattern(value, path);
    return matches && { matches };
  }
  if (!isObject(value)) {
    reader.fault(path, 'Expected a JSON Schema, which is an object');
    return undefined;
  }
  if (Object.keys(value).length === 0)
    reader.fault(path, 'Expected a JSON Schema with keys: an empty one is always true');
  try {
    const { '~standard': standard } = checkedJsonSchema(value);
    return { schema: (each) => problemOf(standard.validate(each)) };
  } catch (error) {
    reader.fault(path, messageOf(error));
    return undefined;
  }
}

/** Whether each text, list or object contains a value. */
function isInEvery(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isInEvery);
  return value === '' || (isObject(value) && Object.keys(value).length === 0);
}

function problemOf(checked: unknown): string | undefined {
  const { issues } = checked as {
    readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] }[];
  };
  return issues
    ?.map(({ message, path = [] }) => `${path.map((each) => `/${String(each)}`).join('')} ${message}`)
    .join('; ')
    .trim();
}
