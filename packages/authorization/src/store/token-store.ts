import { messageOf } from '@mcp/kit';
import type { JsonObject } from '../requests/json-fields.ts';

/** The key of a stored value. `server` is the URL of the MCP server without its query. */
export type StoreKey =
  | { readonly kind: 'tokens'; readonly issuer: string; readonly resource: string }
  | { readonly kind: 'registration'; readonly issuer: string }
  | { readonly kind: 'server'; readonly server: string };

/**
 * Keeps tokens and registrations between runs. The values are JSON and secret: if a store keeps them outside
 * the process, it must let only the user read them.
 */
export interface TokenStore {
  get(key: StoreKey): unknown;
  set(key: StoreKey, value: JsonObject): unknown;
  delete(key: StoreKey): unknown;
  /**
   * Runs `work` while no other process runs work for the same key. Otherwise two processes may use the same
   * refresh token at the same time, and the authorization server may end the login.
   */
  withLock?<T>(key: StoreKey, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A store, and a callback for errors of the store that do not fail the current call. */
export interface ReportedStore {
  readonly store: TokenStore;
  readonly onWarning: (message: string) => void;
}

/**
 * Changes a store. A failure is reported as a warning and not thrown: this run can continue, and only later
 * runs have to log in or register again.
 */
export async function changeStore(
  { store, onWarning }: ReportedStore,
  what: string,
  change: (store: TokenStore) => unknown,
): Promise<void> {
  try {
    await change(store);
  } catch (error) {
    onWarning(`Cannot ${what}: ${messageOf(error)}`);
  }
}

/** Returns a store that keeps its values in memory, for the life of the process. */
export function memoryTokenStore(): TokenStore {
  const values = new Map<string, JsonObject>();
  return {
    get: (key) => values.get(storeKeyText(key)),
    set: (key, value) => values.set(storeKeyText(key), value),
    delete: (key) => values.delete(storeKeyText(key)),
  };
}

/** Returns the key as a unique string, for stores whose keys are strings. */
export function storeKeyText(key: StoreKey): string {
  if (key.kind === 'tokens') return JSON.stringify(['tokens', key.issuer, key.resource]);
  return JSON.stringify([key.kind, key.kind === 'server' ? key.server : key.issuer]);
}
