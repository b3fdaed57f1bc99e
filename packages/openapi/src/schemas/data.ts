import { shown } from '../document/place.ts';
import type { Kind } from './keywords.ts';

const types: ReadonlySet<unknown> = new Set('null boolean object array number integer string'.split(' '));

type DataKind = Exclude<Kind, 'schema' | 'list' | 'map'>;

const checks: { readonly [Name in DataKind]: readonly [(value: unknown) => boolean, expected: string] } = {
  names: [isListOfText, 'a list of strings'],
  types: [
    (value) => [value].flat().every((each) => types.has(each)),
    `one of ${[...types].join(', ')}, or a list of them`,
  ],
  values: [Array.isArray, 'a list'],
  text: [(value) => typeof value === 'string', 'a string'],
  // A boolean is that of OpenAPI 3.0 for `exclusiveMinimum`.
  number: [(value) => typeof value === 'number' || typeof value === 'boolean', 'a number'],
  count: [(value) => Number.isInteger(value) && Number(value) >= 0, 'an integer of at least 0'],
  flag: [(value) => typeof value === 'boolean', 'a boolean'],
  any: [() => true, 'a value'],
};

/** What is wrong with the value of a keyword; undefined if nothing is. */
export function wrongData(kind: DataKind, value: unknown): string | undefined {
  const [isRight, expected] = checks[kind];
  return isRight(value) ? undefined : `${shown(value)} must be ${expected}`;
}

export function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Whether a text is a regular expression of JavaScript, as JSON Schema requires. */
export function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
