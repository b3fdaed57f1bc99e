import { isObject } from '@mcp/kit';
import { each, type PickStep } from '../command-line/result-options.ts';
import { didYouMean } from '../did-you-mean.ts';

/** The part of a value to which a path leads. Throws an `Error` that names what the value has instead. */
export function pickValue(value: unknown, steps: readonly PickStep[], place = ''): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step === each) {
    if (typeof value !== 'object' || value === null) throw missing(place, '[*]', value);
    return Object.entries(value).map(([key, item]) => pickValue(item, rest, `${place}[${key}]`));
  }
  const isIndex = Array.isArray(value) && /^\d+$/.test(String(step));
  const key = String(step);
  if (isIndex ? Number(step) >= value.length : !isObject(value) || !Object.hasOwn(value, key))
    throw missing(place, typeof step === 'number' ? `[${step}]` : `"${step}"`, value, key);
  const inner = (value as { readonly [key: string]: unknown })[key];
  return pickValue(inner, rest, isIndex ? `${place}[${key}]` : place === '' ? key : `${place}.${key}`);
}

function missing(place: string, step: string, value: unknown, key = ''): Error {
  const where = place === '' ? 'The result' : `"${place}" of the result`;
  if (Array.isArray(value)) return new Error(`${where} has no ${step}: it is a list of ${value.length}`);
  if (!isObject(value))
    return new Error(`${where} has no ${step}: it is ${JSON.stringify(value)?.slice(0, 60)}`);
  const keys = Object.keys(value);
  const hint =
    didYouMean(key, keys) ||
    (keys.length === 0 ? '; it is empty' : `; it has ${keys.slice(0, 10).join(', ')}`);
  return new Error(`${where} has no ${step}${hint}`);
}
