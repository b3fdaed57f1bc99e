import { join } from 'node:path';
import { codeOf, quoted } from '@mcp/kit';
import type { EntryLocation } from '../access/allowed-directories.ts';
import { toPathError } from '../errors.ts';
import * as fs from '../promised-fs.ts';
import { renameNoReplace } from '../replace/rename-no-replace.ts';
import { registerTemporary, temporaryName } from '../replace/temporary-files.ts';
import type { WriteContext } from '../replace/write-context.ts';
import { alreadyExists, locate } from './move.ts';

/** Creates an entry at a path that does not exist, while no other change of that path runs. */
export async function intoNew<Result>(
  context: WriteContext,
  source: string,
  destination: string,
  create: (to: EntryLocation) => Result | Promise<Result>,
): Promise<Result> {
  using to = locate(context.allowed, destination, { isDestination: true });
  try {
    if (to.stats) throw alreadyExists(source, destination, to);
    return await context.exclusively([to], () => create(to));
  } catch (error) {
    throw codeOf(error) === 'EEXIST'
      ? new Error(`Already exists: ${quoted(destination)}`)
      : toPathError(error, destination);
  }
}

/** Writes a file under a temporary name beside its own, so that it appears when it is complete. */
export async function throughTemporary(
  to: EntryLocation,
  writeTo: (beside: string) => Promise<void>,
): Promise<void> {
  const temporary = temporaryName();
  using _ = registerTemporary(join(to.parent.path, temporary));
  const beside = join(to.parent.base, temporary);
  try {
    await writeTo(beside);
    await renameNoReplace(beside, join(to.parent.base, to.name));
  } catch (error) {
    await fs.unlink(beside).catch(() => {});
    throw error;
  }
}
