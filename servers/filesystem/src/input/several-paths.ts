import * as z from 'zod';

/** The arguments `paths` and `glob`, which name several paths, unlike `path`. */
export const severalPaths = z.array(z.string()).optional();
export const globInPath = z.string().optional();
