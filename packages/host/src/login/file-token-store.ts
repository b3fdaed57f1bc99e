import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type AuthorizationStore, storeKeyText } from '@mcp/protocol/authorization';
import { JsonDirectory } from '../json-directory.ts';
import { withFileLock } from './file-lock.ts';

type Value = Readonly<Record<string, unknown>>;

/** Keeps tokens and registrations in files that only their user can read, one for each key. */
export function fileStore(stateDirectory: string, warn: (message: string) => void): AuthorizationStore {
  const values = new JsonDirectory<Value>(join(stateDirectory, 'authorization'), { isValid: isRecord, warn });
  const lockOf = (key: string) =>
    join(stateDirectory, 'locks', createHash('sha256').update(key).digest('hex').slice(0, 40));
  return {
    get: (key) => values.get(storeKeyText(key)),
    set: (key, value) => values.set(storeKeyText(key), value),
    delete: (key) => values.delete(storeKeyText(key)),
    withLock: (key, work, signal) => withFileLock(lockOf(storeKeyText(key)), work, signal),
  };
}

function isRecord(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
