import { Refused, type SqlParameters } from '@mcp/sqlite-pool';
import * as z from 'zod';

/** The argument `database`, required if there are several; the instructions list their names. */
export const databaseArgument = z.string().optional();

/** The timeout of a statement in milliseconds, up to ten minutes. */
export const timeoutArgument = z.int().min(1).max(600_000).optional();

/** An SQL value as a parameter. A boolean is bound as 0 or 1. */
const parameterSchema = z.unknown().meta({ type: ['null', 'boolean', 'number', 'string', 'object'] });

export const paramsArgument = z
  .union([z.array(parameterSchema), z.looseObject({}).meta({ additionalProperties: true })])
  .optional()
  .describe('Array for ?, object for :name');

/**
 * Like `paramsArgument`, but with a shorter schema that accepts any value; `asParameters` checks the value.
 */
export const shortParamsArgument = z
  .unknown()
  .meta({ type: ['array', 'object'] })
  .optional();

/** Returns the value as parameters. Throws if it is neither an array nor an object. */
export function asParameters(value: unknown): SqlParameters | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new Refused(`Invalid params: ${JSON.stringify(value)}; expected an array or an object`);
}
