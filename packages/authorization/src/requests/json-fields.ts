import type { JsonObject } from '../../jsonrpc/message.ts';

// A value from the network is used only if it has the type in its specification.

export function stringIn(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function stringsIn(object: JsonObject, name: string): readonly string[] | undefined {
  const value = object[name];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : undefined;
}

/** A count of seconds, which some servers write as a string. */
export function secondsIn(object: JsonObject, name: string): number | undefined {
  const value = Number(object[name] ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
