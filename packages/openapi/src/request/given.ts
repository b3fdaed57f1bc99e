import { isObject, messageOf } from '@mcp/kit';
import type { Argument } from '../plan/argument.ts';
import type { Style } from '../plan/styles.ts';
import { type Encode, encodeReserved, percentEncode, serialize } from './serialize.ts';

/** An argument with the value that a request sends. */
export interface Given {
  readonly name: string;
  readonly argument: Argument;
  readonly value: unknown;
}

const form: Style = { style: 'form', explode: true, allowReserved: false, isJson: false };

/** The text of a value in its style; undefined for one that is not sent. */
export function textOf(
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

/** The text of a value in a query or a form. */
export function pairsOf(given: Given): string | undefined {
  return textOf(given, given.argument.style?.allowReserved ? encodeReserved : percentEncode);
}
