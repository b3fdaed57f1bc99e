import { renameOnto, renameOntoSync } from './rename-onto.ts';

/**
 * Whether a name is that of a temporary file of `replaceFile`. If such a file is minutes old, the process
 * that wrote it has died.
 */
export function isTemporary(name: string): boolean {
  return /\.\d+-[0-9a-f]{8}\.tmp$/.test(name);
}

/** Permissions of created directories and files: only the user of the process can read them. */
const directoryMode = 0o700;
const fileMode = 0o600;

/**
 * Replaces a file atomically, and creates its directory if necessary. Another process reads either the old
 * text or the new text, even after a power failure.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  // Loaded here and not by an import, so that this module can also be loaded in a runtime without files.
  const { mkdir, open, rm } = process.getBuiltinModule('node:fs/promises');
  const path = process.getBuiltinModule('node:path');
  const temporary = temporaryOf(file);
  await mkdir(path.dirname(file), { recursive: true, mode: directoryMode });
  try {
    const opened = await open(temporary, 'wx', fileMode);
    try {
      await opened.writeFile(text);
      await opened.sync();
    } finally {
      await opened.close();
    }
    await renameOnto(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Like `replaceFile`, but synchronous, and without protection against a power failure, after which the file
 * may be empty.
 */
export function replaceFileSync(file: string, text: string): void {
  const { mkdirSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const path = process.getBuiltinModule('node:path');
  const temporary = temporaryOf(file);
  mkdirSync(path.dirname(file), { recursive: true, mode: directoryMode });
  try {
    writeFileSync(temporary, text, { mode: fileMode, flag: 'wx' });
    renameOntoSync(temporary, file);
  } catch (error) {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // This failure is ignored, because the first error is thrown. A cause may be that the directory has
      // become read-only.
    }
    throw error;
  }
}

function temporaryOf(file: string): string {
  return `${file}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.tmp`;
}
