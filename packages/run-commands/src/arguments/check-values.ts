import type { Command } from '../configuration/configuration.ts';
import { isObject } from '@mcp/kit';
import { suggestion } from '@mcp/kit/jsonc';
import { faultOf, type Values } from './argument-schema.ts';
import { fillPieces } from './argv-template.ts';

/**
 * Returns the argument vector of a command for the caller's arguments and, where these are missing, the
 * defaults. Throws if an argument is unknown, missing or invalid.
 */
export function argvFor(command: Command, given: unknown): string[] {
  const { arguments: schemas, required } = command;
  if (!isObject(given)) throw new Error('The arguments must be an object');
  const names = Object.keys(schemas);
  const unknown = Object.keys(given).filter((each) => !Object.hasOwn(schemas, each));
  const faults = [
    ...unknown.map((each) => `Unknown argument "${each}"; ${suggestion(each, names)}`),
    ...required
      .filter((each) => (given[each] ?? undefined) === undefined)
      .map((each) => `Missing argument: "${each}"`),
  ];
  const values: { [name: string]: Values[string] } = {};
  for (const name of names) {
    const schema = schemas[name]!;
    const value = given[name] ?? schema.default;
    if (value === undefined) continue;
    const fault = faultOf(schema, value);
    if (fault !== undefined) faults.push(`"${name}" ${fault}`);
    else values[name] = value as Values[string];
  }
  if (faults.length > 0) throw new Error(faults.join('; '));
  return fillPieces(command.argv, values, schemas);
}
