import { codeOf } from '../error-text.ts';
import { isTemporary } from './replace-file.ts';

/** Milliseconds after which a temporary file counts as left behind by a process that has ended. */
const abandonedMs = 60_000;

/** The result of reading a file; undefined if the file does not exist. Other errors are thrown. */
export async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The names in a directory, none if it does not exist. Removes the temporary files of `replaceFile` that
 * ended processes have left there.
 */
export async function keptNames(directory: string): Promise<readonly string[]> {
  // Loaded here and not by an import, so that this module can also be loaded in a runtime without `node:fs`.
  const { readdir, rm, stat } = process.getBuiltinModule('node:fs/promises');
  const path = process.getBuiltinModule('node:path');
  const names = (await orMissing(readdir(directory))) ?? [];
  const temporary = names.filter(isTemporary);
  await Promise.all(
    temporary.map(async (name) => {
      const file = path.join(directory, name);
      const found = await orMissing(stat(file));
      if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(file, { force: true });
    }),
  );
  return names.filter((name) => !temporary.includes(name));
}
