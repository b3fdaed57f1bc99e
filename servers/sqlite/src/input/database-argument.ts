import * as z from 'zod';
import { Refused } from '../backend/errors.ts';
import type { SqlParameters } from '../backend/sql/bind-parameters.ts';
import { parameterSchema } from '../text/cell-schema.ts';

/** Required with several databases; the server's instructions list their names. */
export const databaseArgument = z.string().optional();

/** Values for the placeholders of a statement. */
export const paramsArgument = z
  .union([z.array(parameterSchema), z.looseObject({}).meta({ additionalProperties: true })])
  .optional()
  .describe('Array for ?, object for :name');

/** The same with a short schema, for a place where it is described already; see `asParameters`. */
export const shortParamsArgument = z
  .unknown()
  .meta({ type: ['array', 'object'] })
  .optional();

/** Throws for a value that is neither an array nor an object. */
export function asParameters(value: unknown): SqlParameters | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new Refused(`Invalid params: ${JSON.stringify(value)}; expected an array or an object`);
}
