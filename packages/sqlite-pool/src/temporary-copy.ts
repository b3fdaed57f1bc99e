import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { messageOf } from '@mcp/kit';
import type { ServerFiles } from './database-files.ts';

/** Copies the databases into a temporary directory, which is deleted when the process exits. */
export function temporaryCopy(files: ServerFiles): ServerFiles {
  const directory = temporaryDirectory();
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const databases = files.databases.map(({ name, path }) => {
    const copy = join(directory, basename(path));
    copyFileSync(path, copy);
    return { name, path: copy };
  });
  return { ...files, databases };
}

function temporaryDirectory(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'mcp-server-sqlite-'));
  } catch (error) {
    throw new Error(
      `Cannot copy the databases to ${tmpdir()}: ${messageOf(error)}. Name a database, or set TMPDIR`,
      { cause: error },
    );
  }
}
