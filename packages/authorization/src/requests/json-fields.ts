/** An object of JSON. */
export type JsonObject = { readonly [name: string]: unknown };

// These return undefined if a field, which comes from the network, has another type than specified.

export function stringIn(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function stringsIn(object: JsonObject, name: string): readonly string[] | undefined {
  const value = object[name];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : undefined;
}

/** Returns a number of seconds, which some servers write as a string. */
export function secondsIn(object: JsonObject, name: string): number | undefined {
  const value = Number(object[name] ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
