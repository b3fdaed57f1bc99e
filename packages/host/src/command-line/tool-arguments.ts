import { isObject, messageOf } from '@mcp/kit';
import { usageError } from '../errors.ts';
import { didYouMean } from '../did-you-mean.ts';
import { itemsOf, type PropertySchema, type ToolSchema, typesOf, valuesOf } from '../property-schema.ts';
import { readNamedFile } from '../read-file.ts';

export interface ArgumentSources {
  /** A JSON object with arguments, which the words of the command line override. */
  readonly json?: string | undefined;
  /** Arguments that are parsed already, which the words of the command line override. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** Aborts the reading of a file, because reading a named pipe may never end. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The arguments of a call from words of the command line: `key=value`, where the tool's schema decides the
 * type and the choices; `key:=json`; or `key=@file` for the text of a file. A repeated key makes a list. JSON
 * is taken as it is, so that a server can be given what it must refuse.
 */
export async function parseArguments(
  words: readonly string[],
  schema: ToolSchema,
  { json, values = {}, signal }: ArgumentSources = {},
): Promise<Readonly<Record<string, unknown>>> {
  for (const key of Object.keys(values)) assertKnown(key, schema);
  const args: Record<string, unknown> = { ...(json === undefined ? {} : parseObject(json)), ...values };
  const given = new Set<string>();
  for (const word of words) {
    const found = /^(?<key>[^=]+?)(?<json>:)?=(?<value>.*)$/s.exec(word)?.groups;
    if (!found)
      throw usageError(`Unexpected argument: "${word}"; expected key=value, key:=json or key=@file`);
    const { key = '', value: text = '' } = found;
    assertKnown(key, schema);
    const property = schema.properties?.[key];
    const read = async (of: PropertySchema | undefined) =>
      found['json'] ? parseJson(key, text) : await readValue(key, text, of, signal);
    args[key] = given.has(key)
      ? [...listGiven(key, args[key], property), ...asList(await read(itemsOf(property)))]
      : await read(property);
    given.add(key);
  }
  if (json === undefined) assertComplete(args, schema);
  return args;
}

/** Throws if an argument that the tool requires is missing. */
function assertComplete(args: Readonly<Record<string, unknown>>, { required = [] }: ToolSchema): void {
  const missing = required.filter((key) => !Object.hasOwn(args, key));
  if (missing.length === 0) return;
  const noun = missing.length === 1 ? 'argument' : 'arguments';
  throw usageError(`Missing ${noun}: ${missing.join(', ')}`, `required: ${required.join(', ')}`);
}

/** The values that a repeated key already has. Throws if the key does not take a list. */
function listGiven(key: string, before: unknown, property: PropertySchema | undefined): readonly unknown[] {
  if (!typesOf(property).has('array'))
    throw usageError(`"${key}" is given twice, but takes one value; a list is given as ${key}:=[…]`);
  return asList(before);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

function assertKnown(key: string, { properties, additionalProperties }: ToolSchema): void {
  if (
    !properties ||
    Object.hasOwn(properties, key) ||
    (additionalProperties !== undefined && additionalProperties !== false)
  )
    return;
  const names = Object.keys(properties);
  const accepted = names.length === 0 ? 'the tool takes no arguments' : `accepted: ${names.join(', ')}`;
  throw usageError(`Unknown argument "${key}"${didYouMean(key, names, 1)}`, accepted);
}

async function readValue(
  key: string,
  value: string,
  property: PropertySchema | undefined,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (value.startsWith('@') && value.length > 1) return textOfFile(key, value.slice(1), signal);
  return readTyped(key, value, property);
}

/** The value that a text names: one of the choices, if the schema has choices. */
function readTyped(key: string, text: string, property: PropertySchema | undefined): unknown {
  const choices = valuesOf(property);
  const named = choices?.includes(text) ? undefined : choices?.find((each) => JSON.stringify(each) === text);
  if (named !== undefined) return named;
  const value = readByType(key, text, property);
  if (!choices || choices.includes(value) || Array.isArray(value) || isObject(value)) return value;
  const suggestion = didYouMean(text, choices.map(String), 1);
  const accepted = choices.map((each) => JSON.stringify(each)).join(', ');
  throw usageError(`Invalid ${key}: "${text}"${suggestion}`, `accepted: ${accepted}`);
}

function readByType(key: string, value: string, property: PropertySchema | undefined): unknown {
  const types = typesOf(property);
  if (types.has('string') || types.size === 0) return value;
  if (types.has('number') || types.has('integer')) {
    const number = readNumber(key, value, types);
    if (number !== undefined) return number;
  }
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if (types.has('null') && value === 'null') return null;
  if (types.has('array') || types.has('object')) return readStructure(key, value, types, property);
  throw usageError(`Invalid ${key}: "${value}"; expected ${[...types].join(' or ')}`);
}

/**
 * The number in a text; undefined if it is no number of the given `types`. Throws for an integer that is too
 * large to be represented exactly.
 */
function readNumber(key: string, value: string, types: ReadonlySet<string>): number | undefined {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number) || (!types.has('number') && !Number.isInteger(number))) return undefined;
  if (/^\s*[-+]?\d+\s*$/.test(value) && !Number.isSafeInteger(number))
    throw usageError(`Invalid ${key}: "${value}"; the largest exact integer is ${Number.MAX_SAFE_INTEGER}`);
  return number;
}

/** Reads a list or an object from JSON. A list may also be written as its items with commas between them. */
function readStructure(
  key: string,
  value: string,
  types: ReadonlySet<string>,
  property: PropertySchema | undefined,
): unknown {
  if (/^\s*[[{]/.test(value)) return parseJson(key, value);
  if (types.has('array'))
    return value === '' ? [] : value.split(',').map((item) => readTyped(key, item, itemsOf(property)));
  throw usageError(`Invalid ${key}: "${value}"; expected a JSON object`);
}

/** The schema of the items of a list, also if the list is one of several alternatives. */
async function textOfFile(key: string, path: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    return (await readNamedFile(path, signal)).toString();
  } catch (error) {
    signal?.throwIfAborted();
    throw usageError(`Cannot read the file of ${key}=@${path}: ${messageOf(error)}`);
  }
}

function parseJson(key: string, text: string): unknown {
  return parse(text, `${key}:=${text.slice(0, 60)}`);
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text, exactly);
  } catch (error) {
    throw usageError(`Invalid JSON in ${source}: ${messageOf(error)}`);
  }
}

/** A value of JSON. Throws for an integer that would change; Node 20 does not tell its `source`. */
function exactly(_: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  const isExact = Number.isSafeInteger(value) || (Number.isFinite(value) && !/^-?\d+$/.test(source));
  if (typeof value === 'number' && !isExact)
    throw new Error(`${source} is not exact; the largest exact integer is ${Number.MAX_SAFE_INTEGER}`);
  return value;
}

function parseObject(text: string): Record<string, unknown> {
  const value = parse(text, '--args');
  if (isObject(value)) return { ...value };
  throw usageError('Invalid --args; expected a JSON object');
}
