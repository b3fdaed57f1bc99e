import { join } from 'node:path';
import { type AuthorizationStore, storeKeyText } from '@mcp/protocol/authorization';
import { JsonDirectory } from '../json-directory.ts';

type Value = Readonly<Record<string, unknown>>;

/** Keeps tokens and registrations in files that only their user can read, one for each key. */
export function fileStore(stateDirectory: string, warn: (message: string) => void): AuthorizationStore {
  const values = new JsonDirectory<Value>(join(stateDirectory, 'authorization'), { isValid: isRecord, warn });
  return {
    get: (key) => values.get(storeKeyText(key)),
    set: (key, value) => values.set(storeKeyText(key), value),
    delete: (key) => values.delete(storeKeyText(key)),
  };
}

function isRecord(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
