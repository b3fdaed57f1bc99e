import * as z from 'zod';

/** A SQL value as a parameter, where a boolean is bound as 0 or 1. */
export const parameterSchema = z.unknown().meta({ type: ['null', 'boolean', 'number', 'string', 'object'] });
