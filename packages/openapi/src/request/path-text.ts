import { isObject } from '@mcp/kit';
import type { FoundOperation } from '../document/operations.ts';
import { hasDots } from '../plan/path.ts';
import { type Given, textOf } from './given.ts';
import { percentEncode } from './serialize.ts';

/** The path of an operation with its values. Throws an `Error` for a value that would leave its place. */
export function pathText({ path }: Pick<FoundOperation, 'path'>, given: readonly Given[]): string {
  const texts = new Map(given.map((each) => [each.argument.key, valueText(each)]));
  const filled = path.replaceAll(/\{([^{}]*)\}/g, (_, key: string) => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`The path has no value of "{${key}}"`);
    return text;
  });
  if (hasDots(filled)) throw new Error('No part of the path may be "." or ".."');
  return filled;
}

function valueText(given: Given): string {
  // A proxy may decode the separators before it resolves "..", so that encoding them is not enough.
  if (leavesOf(given.value).some(hasDots)) {
    throw new Error(
      `Argument "${given.name}": a value in a path must have no part "." or "..", even encoded`,
    );
  }
  const text = given.value === null ? undefined : textOf(given, percentEncode);
  if (text === undefined || text === '')
    throw new Error(`Argument "${given.name}": a value in a path must not be empty`);
  return text;
}

function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return isObject(value) ? Object.entries(value).flat().map(String) : [String(value)];
}
