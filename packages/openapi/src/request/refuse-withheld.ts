import { isObject, quoted } from '@mcp/kit';
import type { Argument } from '../plan/argument.ts';
import { isSameParameter } from '../plan/same-parameter.ts';
import type { Given } from './given.ts';

/**
 * Throws an `Error` for an object of the caller whose members would be sent under the name of an argument
 * that the author withholds: objects may have members of any name.
 */
export function refuseWithheld(given: readonly Given[], withheld: ReadonlySet<Argument>): void {
  for (const each of given.filter(({ argument }) => !withheld.has(argument))) {
    const names = Array.from(withheld)
      .filter(({ place }) => place === each.argument.place)
      .map(({ key }) => key);
    const member = memberNames(each).find((name) => names.some((taken) => isSameParameter(taken, name)));
    if (member === undefined) continue;
    throw new Error(
      `Argument "${each.name}": ${quoted(member)} is not a parameter of this tool; leave it out`,
    );
  }
}

/** The names under which a request has the members of an object. */
function memberNames({ argument: { key, style }, value }: Given): string[] {
  if (!isObject(value) || !style || style.isJson) return [];
  if (style.style === 'deepObject') return deepNames(key, value);
  return style.explode ? Object.keys(value) : [];
}

function deepNames(name: string, value: unknown): string[] {
  if (!isObject(value)) return [name];
  return Object.entries(value).flatMap(([key, member]) => deepNames(`${name}[${key}]`, member));
}
