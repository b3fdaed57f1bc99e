import type { LogLevel } from '@mcp/protocol';
import { logLevels } from '@mcp/protocol/client';
import { usageError } from '../errors.ts';
import { type OptionValues, valueOf } from './command.ts';

/** The value of an option, a whole number from 1; `Infinity` without the option. Throws for another value. */
export function countOf(options: OptionValues, name = 'count'): number {
  const value = valueOf(options, name);
  if (value === undefined) return Infinity;
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1)
    throw usageError(`Invalid --${name}: "${value}"; expected a whole number from 1`);
  return count;
}

/** The seconds of an option as milliseconds; undefined if the option is not given. */
export function millisecondsOf(options: OptionValues, name: string): number | undefined {
  const value = valueOf(options, name);
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (!(seconds > 0) || seconds > maxSeconds)
    throw usageError(`Invalid --${name}: "${value}"; expected a number of seconds`);
  return seconds * 1_000;
}

/** The longest delay of a timer, in seconds: timers take at most 2^31 - 1 milliseconds. */
const maxSeconds = 2_147_483;

/** The level of an option whose choices are `logLevels`; undefined if the option is not given. */
export function logLevelOf(options: OptionValues, name: string): LogLevel | undefined {
  return logLevels.find((each) => each === valueOf(options, name));
}
