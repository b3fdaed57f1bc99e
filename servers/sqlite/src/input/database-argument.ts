import * as z from 'zod';

/** Says which database a tool is about, where there is more than one; the server's instructions name them. */
export const databaseArgument = z.string().optional();

/** Values for the placeholders of a statement. */
export const paramsArgument = z
  .union([z.array(z.unknown()), z.looseObject({})])
  .optional()
  .describe('Array for ?, object for :name');
