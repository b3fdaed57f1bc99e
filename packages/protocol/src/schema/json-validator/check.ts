import { isObject } from '@mcp/kit';
import type { Budget } from './budget.ts';
import type { Dialect } from '../dialects.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import type { Evaluated } from './evaluated.ts';

/**
 * Checks a value against some keywords of a schema. Returns the problem, or undefined if there is none. Adds
 * the parts of the value that these keywords evaluate to `evaluated`, if it is given.
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
  /** Checks a value; returns the problem or undefined. Adds to `into` the parts that the schema evaluates. */
  check(schema: unknown, value: unknown, path: string, into?: Evaluated): string | undefined;
  /**
   * Whether a value fits a subschema; undefined if that depends on a part that cannot be evaluated, such as a
   * schema in another document. Such a part never makes a value wrong, not even inside `not`.
   */
  fits(schema: unknown, value: unknown, path: string, into?: Evaluated): boolean | undefined;
  /** The schema that a reference leads to; `unknownSchema` if it is in another document. */
  resolve(keyword: ReferenceKeyword, reference: string): unknown;
  /** Whether a text matches; undefined if the pattern is invalid or would take too long. */
  readonly matches: (pattern: string, text: string) => boolean | undefined;
  /** The dialect of the current schema. */
  readonly dialect: Dialect;
  readonly budget: Budget;
}

type Entries = readonly (readonly [string, unknown])[];

const noEntries: Entries = [];
const knownEntries = new WeakMap<object, Entries>();

/** The steps to read this many members. V8 keeps 1,000 or more in a hash table, which takes longer. */
export function stepsOf(members: number): number {
  return members < 1_000 ? members : 4 * members;
}

/** The own entries of a keyword whose value maps names to schemas. */
export function entriesOf(keyword: unknown, budget: Budget): Entries {
  if (!isObject(keyword)) return noEntries;
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

/** The name of a location within a value for error messages. */
export function placeName(path: string): string {
  return path === '' ? 'the value' : path;
}
