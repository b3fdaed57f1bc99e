import * as z from 'zod';
import { parameterSchema } from '../text/cell-schema.ts';

/** Required with several databases; the server's instructions list their names. */
export const databaseArgument = z.string().optional();

/** Values for the placeholders of a statement. */
export const paramsArgument = z
  .union([z.array(parameterSchema), z.looseObject({}).meta({ additionalProperties: true })])
  .optional()
  .describe('Array for ?, object for :name');
