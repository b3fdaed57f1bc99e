import { closestNames, isObject, quoted } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
import { type Properties, propertiesOf, resolve, typeOf, typesOf } from './argument-schema.ts';
import type { Issue } from './schema.ts';

const maxUnknown = 10;
/** The maximum number of characters of an unknown name that a message shows. */
const maxShown = 100;

/** One sentence for each missing, unknown or mistyped argument, and each other issue of the validator. */
export function argumentErrors(
  schema: JsonObject,
  properties: Properties | undefined,
  args: JsonObject,
  issues: readonly Issue[],
): string {
  const missing = missingArguments(schema, args);
  const unknown = properties ? Object.keys(args).filter((name) => !properties.has(name)) : [];
  const sentences = [
    ...missing.map((name) => `Missing argument "${name}"${typeText(propertyOf(schema, name), schema)}`),
    ...unknown.slice(0, maxUnknown).map((name) => unknownText(name, [...properties!.keys()])),
    ...issues.flatMap((issue) => issueText(schema, args, issue, missing, unknown.length > 0) ?? []),
  ];
  if (unknown.length > maxUnknown) sentences.push(`${unknown.length - maxUnknown} more unknown arguments`);
  if (unknown.length > 0) sentences.push(acceptedText([...properties!.keys()]));
  return [...new Set(sentences)].map((each) => (/[.?!]$/.test(each) ? each : `${each}.`)).join(' ');
}

function missingArguments(schema: JsonObject, args: JsonObject): string[] {
  const { required } = schema;
  return Array.isArray(required)
    ? required.filter((name) => typeof name === 'string' && args[name] === undefined)
    : [];
}

function propertyOf({ properties }: JsonObject, name: string): unknown {
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function typeText(schema: unknown, root: JsonObject): string {
  const types = typesOf(schema, root);
  return types.length > 0 ? ` (${types.join(' or ')})` : '';
}

function unknownText(name: string, accepted: readonly string[], path?: string): string {
  const [nearest] = closestNames(name, accepted, 1);
  const shown = quoted(name, maxShown);
  return `Unknown argument ${shown}${insideText(path)}${nearest === undefined ? '' : `, did you mean "${nearest}"?`}`;
}

function insideText(path: string | undefined): string {
  return path === undefined ? '' : ` in ${path}`;
}

function acceptedText(accepted: readonly string[], path?: string): string {
  return accepted.length === 0
    ? 'No arguments are accepted'
    : `Accepted arguments${insideText(path)}: ${accepted.map((name) => `"${name}"`).join(', ')}`;
}

function issueText(
  schema: JsonObject,
  args: JsonObject,
  { message, path = [] }: Issue,
  missing: readonly string[],
  hasUnknown: boolean,
): string | undefined {
  const steps = path.map((step) => (typeof step === 'object' ? step.key : step));
  const [first] = steps;
  if (first === undefined) return hasUnknown && /unrecognized|unknown/i.test(message) ? undefined : message;
  if (steps.length === 1 && missing.includes(String(first))) return undefined;
  const name = steps.map(String).join('.');
  let expected: unknown = schema;
  let given: unknown = args;
  for (const step of steps) {
    expected = memberOf(resolve(expected, schema), step);
    given = isObject(given) || Array.isArray(given) ? (given as JsonObject)[String(step)] : undefined;
  }
  const inside = /unrecognized|unknown|invalid input/i.test(message)
    ? unknownInside(expected, schema, name, given)
    : undefined;
  if (inside !== undefined) return inside;
  const types = typesOf(expected, schema);
  const type = typeOf(given);
  if (given === undefined) return `Missing argument "${name}"${typeText(expected, schema)}`;
  if (types.length === 0 || types.includes(type)) return `${name}: ${message}`;
  if (type === 'integer' && types.includes('number')) return `${name}: ${message}`;
  return `Argument "${name}" must be ${types.map(withArticle).join(' or ')}, not ${withArticle(type)}${valueText(given)}`;
}

/** Describes the unknown members of an object that is part of an argument; undefined if there are none. */
function unknownInside(part: unknown, root: JsonObject, path: string, given: unknown): string | undefined {
  const schema = resolve(part, root);
  const accepted = schema && isObject(given) ? [...(propertiesOf(schema, root)?.keys() ?? [])] : [];
  if (!isObject(given) || accepted.length === 0) return undefined;
  const unknown = Object.keys(given).filter((name) => !accepted.includes(name));
  if (unknown.length === 0) return undefined;
  const sentences = unknown.slice(0, maxUnknown).map((name) => unknownText(name, accepted, path));
  return [...sentences, acceptedText(accepted, path)].join('. ').replaceAll('?.', '?');
}

function memberOf(schema: JsonObject | undefined, step: PropertyKey): unknown {
  if (!schema) return undefined;
  return typeof step === 'number' ? schema['items'] : propertyOf(schema, String(step));
}

const nouns: { readonly [type: string]: string } = {
  integer: 'an integer',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

function withArticle(type: string): string {
  return nouns[type] ?? `a ${type}`;
}

function valueText(value: unknown): string {
  if (typeof value === 'object') return '';
  const text = JSON.stringify(value);
  return ` (${text.length > 60 ? `${text.slice(0, 60)}…` : text})`;
}
