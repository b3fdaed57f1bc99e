import { isObject } from '@mcp/kit';
import type { Style } from '../plan/styles.ts';

/** The separators of a style, as of the operators of RFC 6570. */
interface Shape {
  readonly first: string;
  /** Between the items of an exploded value, and between those of another. */
  readonly join: string;
  readonly comma: string;
  /** Whether the name of the parameter precedes its value. */
  readonly isNamed: boolean;
  /** After a name whose value is empty. */
  readonly empty: string;
}

const simple: Shape = { first: '', join: ',', comma: ',', isNamed: false, empty: '=' };
const form: Shape = { ...simple, join: '&', isNamed: true };
const shapes: { readonly [Name in Exclude<Style['style'], 'deepObject'>]: Shape } = {
  simple,
  label: { ...simple, first: '.', join: '.' },
  matrix: { ...form, first: ';', join: ';', empty: '' },
  form,
  spaceDelimited: { ...form, comma: '%20' },
  pipeDelimited: { ...form, comma: '%7C' },
};

/** Writes a name or a value so that its characters may be in their place. */
export type Encode = (text: string) => string;

/**
 * The text of a parameter; undefined for an empty list or object, which is not sent. Names and values are
 * encoded by `encode`. Throws an `Error` for a value that the style cannot express.
 * @see https://spec.openapis.org/oas/v3.1.1.html#style-examples
 */
export function serialize(
  name: string,
  value: unknown,
  { style, explode, isJson }: Style,
  encode: Encode,
  join?: string,
): string | undefined {
  if (isJson) return expand(name, JSON.stringify(value), { ...shapeOf(style), first: '' }, false, encode);
  if (style === 'deepObject') return deepObject(encode(name), value, encode);
  const shape = shapeOf(style);
  return expand(name, value, join === undefined ? shape : { ...shape, join }, explode, encode);
}

function shapeOf(style: Style['style']): Shape {
  return style === 'deepObject' ? form : shapes[style];
}

function expand(
  name: string,
  value: unknown,
  shape: Shape,
  explode: boolean,
  encode: Encode,
): string | undefined {
  const { first, join, comma, isNamed, empty } = shape;
  const pair = (key: string, text: string) => (text === '' ? `${key}${empty}` : `${key}=${text}`);
  const named = (text: string) => (isNamed ? pair(encode(name), text) : text);
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null).map((item: unknown) => encode(textOf(item)));
    if (items.length === 0) return undefined;
    return first + (explode ? items.map(named).join(join) : named(items.join(comma)));
  }
  if (!isObject(value)) return first + named(encode(textOf(value)));
  const entries = Object.entries(value)
    .filter(([, item]) => item !== null)
    .map(([key, item]) => [encode(key), encode(textOf(item))] as const);
  if (entries.length === 0) return undefined;
  if (!explode) return first + named(entries.flat().join(comma));
  return first + entries.map(([key, text]) => pair(key, text)).join(join);
}

/** `name[key]=value`; `name[key][inner]=value` for objects inside, which the specification leaves open. */
function deepObject(name: string, value: unknown, encode: Encode): string | undefined {
  if (!isObject(value)) return `${name}=${encode(textOf(value))}`;
  const parts = Object.entries(value)
    .filter(([, item]) => item !== null)
    .flatMap(([key, item]) => deepObject(`${name}%5B${encode(key)}%5D`, item, encode) ?? []);
  return parts.length === 0 ? undefined : parts.join('&');
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  throw new Error('a list or object inside a list or object cannot be sent in this place');
}

/** Percent-encodes all but the unreserved characters of RFC 3986. Throws an `Error` for a lone surrogate. */
export function percentEncode(text: string): string {
  if (!text.isWellFormed()) throw new Error('the text has half of a character');
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, hex);
}

/**
 * Leaves the reserved characters that cannot end the value or begin another parameter; some servers split a
 * query at semicolons, too.
 */
export function encodeReserved(text: string): string {
  return percentEncode(text).replaceAll(/%(?:2F|3A|3F|40|21|24|27|28|29|2A|2C)/g, decodeURIComponent);
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
