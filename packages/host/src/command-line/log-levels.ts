import type { LogLevel } from '@mcp/protocol';
import { usageError } from '../errors.ts';
import { type OptionValues, valueOf } from './command.ts';

/** The levels of RFC 5424, the least important first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly LogLevel[];

/** The level that an option names; undefined if the option is not given. */
export function logLevelOf(options: OptionValues, name: string): LogLevel | undefined {
  const value = valueOf(options, name);
  const level = logLevels.find((each) => each === value);
  if (value !== undefined && level === undefined)
    throw usageError(`Invalid --${name}: "${value}"; expected ${logLevels.join(', ')}`);
  return level;
}
