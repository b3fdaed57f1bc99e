import { codeOf, isObject, messageOf } from '@mcp/kit';
import { orMissing } from '@mcp/kit/node';
import { builtinModule } from '../platform/builtin-module.ts';
import type { Entry } from './state-store.ts';

/** An entry in a file, with its key, because the name of the file is a hash. */
export interface StoredEntry extends Entry {
  readonly key: string;
}

/** More than a value of the maximum length and its key can have, in bytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Reads the entry of a key, or of any key. Throws an `Error` for a file that is not one of `fileState`, and
 * for one that cannot be read.
 */
export async function readEntry(path: string, key?: string): Promise<StoredEntry | undefined> {
  // Not imported, so that `memoryState` can be loaded without a file system, as in an edge worker.
  const { readFile, stat } = builtinModule('node:fs/promises')!;
  const text = await orMissing(
    stat(path).then(({ size }) => (size > maxBytes ? '' : readFile(path, 'utf8'))),
  ).catch((error: unknown) => refuseFile('read', path, error));
  if (text === undefined) return undefined;
  const entry = parsed(text);
  if (!isStored(entry) || (key !== undefined && entry.key !== key))
    throw new Error(`Damaged file of a state: "${path}"; move it elsewhere`);
  return entry;
}

/** Throws an `Error` that names the file which the system refuses to read or to write. */
export function refuseFile(what: 'read' | 'write', path: string, error: unknown): never {
  if (codeOf(error) === undefined) throw error;
  throw new Error(`Cannot ${what} the file of a state: "${path}": ${messageOf(error)}`, { cause: error });
}

function isStored(value: unknown): value is StoredEntry {
  return (
    isObject(value) &&
    typeof value['key'] === 'string' &&
    'value' in value &&
    ['number', 'undefined'].includes(typeof value['expiresAt'])
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
