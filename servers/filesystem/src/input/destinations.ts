import { dirname } from 'node:path';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';
import { globInPath, severalPaths } from './several-paths.ts';

/** The arguments that `move_file` and `copy_file` have in common. */
export const destinationArguments = {
  source: z.string().optional(),
  sources: severalPaths.describe('Instead of source'),
  glob: globInPath.describe('All in source that match; keeps subdirectories'),
  destination: z.string().optional().describe('New path, including the name; for several, a directory'),
  destinations: severalPaths.describe('New path of each of sources'),
  parents: z.boolean().optional().describe('Create missing directories'),
};

/** The error for an argument `path`, which the other tools have instead of `source`. */
export const pathIsSource = {
  error: ({ code, keys }: { code?: string; keys?: readonly string[] }) =>
    code === 'unrecognized_keys' && keys?.includes('path') ? 'Give "source" instead of "path"' : undefined,
};

/** Creates the missing parent directories of a path, if `parents` requests it; returns their number. */
export async function createParents(
  path: string,
  parents: boolean | undefined,
  { sandbox }: Filesystem,
): Promise<number> {
  return parents ? (await sandbox.createDirectory(dirname(path))).created : 0;
}
