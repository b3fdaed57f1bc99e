import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { withFileLock } from '@mcp/kit/node';
import { isObject } from '@mcp/kit';
import { type TokenStore, storeKeyText } from '@mcp/authorization';
import { JsonDirectory } from '../json-directory.ts';

type Value = Readonly<Record<string, unknown>>;

/** Keeps tokens and registrations in files that only their user can read, one for each key. */
export function fileTokenStore(stateDirectory: string, warn: (message: string) => void): TokenStore {
  const values = new JsonDirectory<Value>(join(stateDirectory, 'authorization'), { isValid: isObject, warn });
  const lockOf = (key: string) =>
    join(stateDirectory, 'locks', createHash('sha256').update(key).digest('hex').slice(0, 40));
  return {
    get: (key) => values.get(storeKeyText(key)),
    set: (key, value) => values.set(storeKeyText(key), value),
    delete: (key) => values.delete(storeKeyText(key)),
    withLock: (key, work, signal) => withFileLock(lockOf(storeKeyText(key)), work, signal),
  };
}
