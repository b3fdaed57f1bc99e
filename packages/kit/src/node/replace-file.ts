import { renameOnto, renameOntoSync } from './rename-onto.ts';

/**
 * Whether this is the name of a temporary file of `replaceFile`. If such a file is minutes old, the process
 * that wrote it has died.
 */
export function isTemporary(name: string): boolean {
  return /\.\d+-[0-9a-f]{8}\.tmp$/.test(name);
}

/** Permissions of created directories and files: only the user of the process can read them. */
const directoryMode = 0o700;
const fileMode = 0o600;

export interface ReplaceOptions {
  /** The permissions of the file; by default, only the user can read it. */
  readonly mode?: number | undefined;
  /** The group of the file; by default, that of a new file. */
  readonly gid?: number | undefined;
  /** Called as the last step before the file is replaced; if it rejects, the file stays as it is. */
  readonly verify?: () => Promise<void>;
}

/**
 * Replaces a file atomically, even in a power failure, and creates its directory if necessary. Rejects with
 * the code EPERM if the user is not in the group.
 */
export async function replaceFile(
  file: string,
  text: string,
  { mode = fileMode, gid, verify }: ReplaceOptions = {},
): Promise<void> {
  // Loaded here and not by an import, so that this module can also be loaded in a runtime without `node:fs`.
  const { mkdir, open, rm } = process.getBuiltinModule('node:fs/promises');
  const path = process.getBuiltinModule('node:path');
  const temporary = temporaryOf(file);
  await mkdir(path.dirname(file), { recursive: true, mode: directoryMode });
  try {
    const opened = await open(temporary, 'wx', fileMode);
    try {
      if (gid !== undefined && (await opened.stat()).gid !== gid) await opened.chown(-1, gid);
      if (mode !== fileMode) await opened.chmod(mode);
      await opened.writeFile(text);
      await opened.sync();
    } finally {
      await opened.close();
    }
    await verify?.();
    await renameOnto(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Like `replaceFile`, but synchronous, and the file may be empty after a power failure. */
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
      // This second error is ignored, because the first one is thrown: the directory may have become
      // read-only.
    }
    throw error;
  }
}

function temporaryOf(file: string): string {
  return `${file}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.tmp`;
}
