export type JsonObject = { readonly [key: string]: unknown };

/** Checks a value against some keywords of a schema; returns the problem. */
export type Check = (
  schema: JsonObject,
  value: unknown,
  path: string,
  context: Context,
) => string | undefined;

export interface Context {
  /** Checks a value against a subschema. */
  check(schema: unknown, value: unknown, path: string): string | undefined;
  /** The schema that a reference in the schema `from` resolves to, if that is in the same document. */
  resolve(keyword: '$ref' | '$dynamicRef', reference: string, from: JsonObject): unknown;
  /** Whether a text matches a pattern; undefined where that cannot be known in time. */
  readonly matches: (pattern: string, text: string) => boolean | undefined;
  /** Counts steps of a check, beside the one of each subschema. Throws {@link tooCostly} after too many. */
  readonly spend: (steps: number) => void;
}

/** Thrown where a check has taken too many steps. */
export const tooCostly = new Error('Too costly');

export function isSchemaObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own entries of a keyword whose value maps names to schemas. */
export function entriesOf(value: unknown): (readonly [string, unknown])[] {
  return isSchemaObject(value) ? Object.entries(value) : [];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function has(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name);
}

/** A location within a value, as error messages name it. */
export function placeName(path: string): string {
  return path === '' ? 'the value' : path;
}
