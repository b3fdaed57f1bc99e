import * as z from 'zod';

/** The argument that selects changed lines of one file, by the headers of hunks or by ranges. */
export const selectedLines = z.array(z.string()).min(1).max(1_000).optional();
