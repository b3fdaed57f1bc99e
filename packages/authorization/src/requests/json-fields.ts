export type JsonObject = { readonly [name: string]: unknown };

// These functions return undefined for a field of an unexpected type, because the objects come from the
// network.

export function stringIn(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function stringsIn(object: JsonObject, name: string): readonly string[] | undefined {
  const value = object[name];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : undefined;
}

/**
 * Returns a field that contains a number of seconds. Accepts it as a string, too, because some servers write
 * one.
 */
export function secondsIn(object: JsonObject, name: string): number | undefined {
  const value = Number(object[name] ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
