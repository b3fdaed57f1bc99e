import type { Budget } from './budget.ts';
import type { Dialect } from '../dialects.ts';
import type { Evaluated } from './evaluated.ts';

export type JsonObject = { readonly [key: string]: unknown };

/**
 * Checks a value against some keywords of a schema; returns the problem. Adds the parts of the value that
 * these keywords evaluate to `evaluated`, if given.
 */
export type Check = (
  schema: JsonObject,
  value: unknown,
  path: string,
  context: Context,
  evaluated: Evaluated | undefined,
) => string | undefined;

/** The keywords that refer to other schemas. */
export const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
export type ReferenceKeyword = (typeof referenceKeywords)[number];

export interface Context {
  /** Checks a value against a subschema, and adds the evaluated properties and items to `into`. */
  check(schema: unknown, value: unknown, path: string, into?: Evaluated): string | undefined;
  /**
   * Whether a value fits a subschema; undefined where it only fits because a part of that is unknown.
   * What is unknown never makes a value wrong, not even inside `not`.
   */
  fits(schema: unknown, value: unknown, path: string, into?: Evaluated): boolean | undefined;
  /** The schema that a reference in the present schema resolves to; one in another document is unknown. */
  resolve(keyword: ReferenceKeyword, reference: string): unknown;
  /** Whether a text matches a pattern; undefined where that cannot be known in time. */
  readonly matches: (pattern: string, text: string) => boolean | undefined;
  /** The dialect of the present schema. */
  readonly dialect: Dialect;
  readonly budget: Budget;
}

export function isSchemaObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Entries = readonly (readonly [string, unknown])[];

const noEntries: Entries = [];
const knownEntries = new WeakMap<object, Entries>();

/** The steps of a look at so many members: V8 keeps many in a hash table, where each takes longer. */
export function stepsOf(members: number): number {
  return members < 1_000 ? members : 4 * members;
}

/** The own entries of a keyword whose value maps names to schemas. */
export function entriesOf(keyword: unknown, budget: Budget): Entries {
  if (!isSchemaObject(keyword)) return noEntries;
  let entries = knownEntries.get(keyword);
  if (!entries) {
    entries = Object.entries(keyword);
    knownEntries.set(keyword, entries);
  }
  budget.spend(stepsOf(entries.length));
  return entries;
}

/** The own entries of a checked value. */
export function membersOf(value: JsonObject, budget: Budget): Entries {
  const members = Object.entries(value);
  budget.spend(2 * stepsOf(members.length));
  return members;
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
