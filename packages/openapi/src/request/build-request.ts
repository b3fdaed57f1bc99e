import { isObject, messageOf, quoted } from '@mcp/kit';
import type { FoundOperation } from '../document/operations.ts';
import type { Json } from '../document/place.ts';
import type { Argument, ArgumentPlace } from '../plan/argument.ts';
import type { Body } from '../plan/body.ts';
import type { Values } from '../options.ts';
import { type Encode, encodeReserved, percentEncode, serialize } from './serialize.ts';
import type { Style } from '../plan/styles.ts';

/** How the requests of one operation are made. */
export interface RequestPlan {
  readonly operation: FoundOperation;
  /** The URL that the path is appended to, without a slash at its end. */
  readonly base: string;
  /** All arguments by their names, also those that have a fixed value. */
  readonly named: ReadonlyMap<string, Argument>;
  readonly body: Body | undefined;
}

/** What the author adds to a request. */
export interface Additions {
  readonly headers: Values;
  readonly query: Values;
}

interface Given {
  readonly name: string;
  readonly argument: Argument;
  readonly value: unknown;
}

/** Makes the request of a call. Throws an `Error` with the argument whose value cannot be sent. */
export function buildRequest(plan: RequestPlan, args: Json, { headers, query }: Additions): Request {
  const all = Array.from(plan.named).flatMap(([name, argument]) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    const isAbsent = value === undefined || (value === null && argument.place !== 'body');
    return isAbsent ? [] : [{ name, argument, value }];
  });
  const at = (place: ArgumentPlace) => all.filter(({ argument }) => argument.place === place);
  const url = urlOf(plan, at('path'), queryOf(at('query'), query));
  const sent = headersOf(at('header'), at('cookie'), headers);
  const body = plan.body && bodyText(plan.body, at('body'));
  if (plan.body && body !== undefined && !sent.has('content-type')) sent.set('content-type', plan.body.type);
  return new Request(url, {
    method: plan.operation.method,
    headers: sent,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
}

function urlOf({ base, operation }: RequestPlan, path: readonly Given[], query: string): URL {
  const inPath = new Map(path.map((given) => [given.argument.key, pathText(given)]));
  const filled = operation.path.replaceAll(/\{([^{}]*)\}/g, (_, key: string) => inPath.get(key) ?? '');
  // URLs resolve the segments "." and "..", also encoded ones, which could lead out of the base URL.
  if (filled.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw new Error('No part of the path may be "." or ".."');
  }
  return new URL(`${base}${filled}${query === '' ? '' : `?${query}`}`);
}

function queryOf(query: readonly Given[], added: Values): string {
  // An object may have members of any name, which must not replace what the author adds.
  const isReplaced = (pair: string) => Object.hasOwn(added, decodeURIComponent(pair.split('=', 1)[0] ?? ''));
  return [
    ...query
      .flatMap((given) => textOf(given, encoderOf(given))?.split('&') ?? [])
      .filter((pair) => !isReplaced(pair)),
    ...Object.entries(added).map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`),
  ].join('&');
}

function pathText(given: Given): string {
  // A proxy may decode the separators before it resolves "..", so that encoding them is not enough.
  if (
    leavesOf(given.value).some((leaf) => leaf.split(/[/\\]/).some((part) => part === '.' || part === '..'))
  ) {
    throw new Error(`Argument "${given.name}": a value in a path must have no part "." or ".."`);
  }
  const text = textOf(given, percentEncode);
  if (text === undefined || text === '')
    throw new Error(`Argument "${given.name}": a value in a path must not be empty`);
  return text;
}

function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return isObject(value) ? Object.entries(value).flat().map(String) : [String(value)];
}

function headersOf(headers: readonly Given[], cookies: readonly Given[], added: Values): Headers {
  const sent = new Headers({ accept: 'application/json, */*;q=0.5' });
  for (const given of headers) {
    const text = textOf(given, (part) => part);
    if (text === undefined) continue;
    if (!isHeaderText(text)) throw new Error(`Argument "${given.name}": ${noHeader}`);
    sent.set(given.argument.key, text);
  }
  const pairs = cookies.flatMap((given) => textOf(given, percentEncode, '; ') ?? []);
  for (const [name, text] of Object.entries(added)) {
    // The value is not shown, because it may be a secret.
    if (!isHeaderText(text)) throw new Error(`The header ${quoted(name)} of the author: ${noHeader}`);
    if (name.toLowerCase() === 'cookie') pairs.push(text);
    else sent.set(name, text);
  }
  if (pairs.length > 0) sent.set('cookie', pairs.join('; '));
  return sent;
}

const noHeader = 'the value has a character that a header cannot have, such as a line break';

function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

const form: Style = { style: 'form', explode: true, allowReserved: false, isJson: false };

function bodyText({ type, required, isFlat }: Body, given: readonly Given[]): string | undefined {
  if (given.length === 0 && !required) return undefined;
  if (type.startsWith('text/')) return given.map(({ value }) => String(value)).join('');
  if (/^application\/x-www-form-u/i.test(type)) {
    const present = given.filter(({ value }) => value !== null);
    return present.flatMap((each) => textOf(each, encoderOf(each)) ?? []).join('&');
  }
  const whole = isFlat
    ? Object.fromEntries(given.map(({ argument, value }) => [argument.key, value]))
    : given[0]?.value;
  return JSON.stringify(whole);
}

function encoderOf({ argument }: Given): Encode {
  return argument.style?.allowReserved ? encodeReserved : percentEncode;
}

function textOf(
  { name, argument: { key, style }, value }: Given,
  encode: Encode,
  join?: string,
): string | undefined {
  try {
    // Without an encoding, an object in a form is sent as JSON.
    const used = style ?? { ...form, isJson: isObject(value) };
    return serialize(key, value, used, encode, join);
  } catch (error) {
    throw new Error(`Argument "${name}": ${messageOf(error)}`, { cause: error });
  }
}
