import type { Client } from '@mcp/protocol/client';
import type { ServerEntry } from '../config/entry/server-entry.ts';

/** A connected server. */
export interface OpenServer {
  readonly entry: ServerEntry;
  readonly client: Client;
}

/** A connection to a server, for one caller or for several. */
export class Connection implements OpenServer {
  /** The entry as it is configured now: a reload may change filters and timeouts while the server runs. */
  entry: ServerEntry;
  readonly client: Client;
  /** Whether several callers use the connection; a shared connection stays open until its server is ended. */
  isShared = false;
  #isClosed = false;
  readonly #onClose: (connection: Connection) => void;

  constructor(entry: ServerEntry, client: Client, onClose: (connection: Connection) => void) {
    this.entry = entry;
    this.client = client;
    this.#onClose = onClose;
  }

  /** Whether `close` was called; false if only the server has closed the connection. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends the use of the connection by one caller; closes it if it is not shared. */
  async release(): Promise<void> {
    if (!this.isShared) await this.close();
  }

  /** Closes the connection, within a limited time. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#onClose(this);
    return this.client.close();
  }
}
