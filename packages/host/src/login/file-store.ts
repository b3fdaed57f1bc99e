import { join } from 'node:path';
import { type AuthorizationStore, type StoreKey, storeKeyText } from '@mcp/protocol/authorization';
import { JsonFile } from '../json-file.ts';

type Values = Readonly<Record<string, unknown>>;

/** Keeps tokens and registrations in a file that its user alone can read. */
export function fileStore(stateDirectory: string, warn: (message: string) => void): AuthorizationStore {
  const file = new JsonFile<Values>(join(stateDirectory, 'authorization.json'), {}, isValues, warn);
  const without = (key: StoreKey) =>
    Object.entries(file.read()).filter(([name]) => name !== storeKeyText(key));
  return {
    get: (key) => new Map(Object.entries(file.read())).get(storeKeyText(key)),
    set: (key, value) => file.write(Object.fromEntries([...without(key), [storeKeyText(key), value]])),
    delete: (key) => file.write(Object.fromEntries(without(key))),
  };
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
