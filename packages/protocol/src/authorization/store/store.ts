import type { JsonObject } from '../../jsonrpc/message.ts';

/** The key of a stored value. The server is the URL of the MCP server without its query. */
export type StoreKey =
  | { readonly kind: 'tokens'; readonly issuer: string; readonly resource: string }
  | { readonly kind: 'registration'; readonly issuer: string }
  | { readonly kind: 'server'; readonly server: string };

/**
 * Keeps tokens and registrations between runs. The values are JSON, and secret: a store that keeps them
 * outside the process is readable by the user alone.
 */
export interface AuthorizationStore {
  get(key: StoreKey): unknown;
  set(key: StoreKey, value: JsonObject): unknown;
  delete(key: StoreKey): unknown;
  /**
   * Runs `work` while no other process that uses the store runs work for the same key. Without it,
   * processes that refresh at the same time may spend one refresh token twice, which ends the login.
   */
  withLock?<T>(key: StoreKey, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A store, and a callback for its errors that do not fail the current call. */
export interface ReportedStore {
  readonly store: AuthorizationStore;
  readonly warn: (message: string) => void;
}

/** A store for the life of the process. */
export function memoryStore(): AuthorizationStore {
  const values = new Map<string, JsonObject>();
  return {
    get: (key) => values.get(storeKeyText(key)),
    set: (key, value) => values.set(storeKeyText(key), value),
    delete: (key) => values.delete(storeKeyText(key)),
  };
}

/** The key as one string, for stores that need such. Different keys have different strings. */
export function storeKeyText(key: StoreKey): string {
  if (key.kind === 'tokens') return JSON.stringify(['tokens', key.issuer, key.resource]);
  return JSON.stringify([key.kind, key.kind === 'server' ? key.server : key.issuer]);
}
