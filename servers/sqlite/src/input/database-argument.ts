import * as z from 'zod';

/** Required with several databases; the server's instructions list their names. */
export const databaseArgument = z.string().optional();

/** Values for the placeholders of a statement. */
export const paramsArgument = z
  .union([z.array(z.unknown()), z.looseObject({})])
  .optional()
  .describe('Array for ?, object for :name');
