/** An object of JSON. */
export type JsonObject = { readonly [key: string]: unknown };

/** The value, if it is an object; else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value && !Array.isArray(value) ? (value as JsonObject) : {};
}
