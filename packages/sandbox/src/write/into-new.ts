import { codeOf, quoted } from '@mcp/kit';
import { pathOf, type EntryLocation } from '../access/entry-location.ts';
import { toPathError } from '../errors.ts';
import * as fs from '../promised-fs.ts';
import { renameNoReplace } from '../replace/rename-no-replace.ts';
import { TemporaryFile } from '../replace/temporary-files.ts';
import type { WriteContext } from '../replace/write-context.ts';
import { alreadyExists } from './move.ts';

/** Runs `create` for a path that must not exist. No other change of this path runs at the same time. */
export async function intoNew<Result>(
  context: WriteContext,
  source: string,
  destination: string,
  create: (to: EntryLocation) => Result | Promise<Result>,
): Promise<Result> {
  using to = context.allowed.locateEntry(destination, { isDestination: true });
  try {
    if (to.stats) throw alreadyExists(source, destination, to);
    return await context.exclusively([to], () => create(to));
  } catch (error) {
    throw codeOf(error) === 'EEXIST'
      ? new Error(`Already exists: ${quoted(destination)}`)
      : toPathError(error, destination);
  }
}

/** Writes a file under a temporary name and then renames it, so that it appears only when it is complete. */
export async function throughTemporary(
  to: EntryLocation,
  writeTo: (beside: string) => Promise<void>,
): Promise<void> {
  using file = new TemporaryFile(to);
  const beside = file.path;
  try {
    await writeTo(beside);
    await renameNoReplace(beside, pathOf(to));
  } catch (error) {
    await fs.unlink(beside).catch(() => {});
    throw error;
  }
}
