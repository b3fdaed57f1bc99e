import * as z from 'zod';

/** The schema of an SQL value as a parameter. A boolean is bound as 0 or 1. */
export const parameterSchema = z.unknown().meta({ type: ['null', 'boolean', 'number', 'string', 'object'] });
