import type { Client } from '@mcp/protocol/client';
import type { ServerEntry } from '../config/server-entry.ts';

/** A connected server. */
export interface OpenServer {
  readonly entry: ServerEntry;
  readonly client: Client;
}

/** One server from its start to its end. */
export class RunningServer {
  readonly #aborted = new AbortController();
  #entry: Promise<ServerEntry>;
  #opened: Promise<OpenServer>;

  constructor(
    entry: Promise<ServerEntry>,
    connect: (entry: ServerEntry, signal: AbortSignal) => Promise<Client>,
  ) {
    this.#entry = entry;
    this.#opened = entry.then(async (resolved) => ({
      entry: resolved,
      client: await connect(resolved, this.#aborted.signal),
    }));
    // A failure belongs to the callers of `opened`.
    this.#opened.catch(() => {});
  }

  /** Rejects where its variables cannot be expanded. */
  get entry(): Promise<ServerEntry> {
    return this.#entry;
  }

  get opened(): Promise<OpenServer> {
    return this.#opened;
  }

  /** Replaces settings that a running server does not see: filters and timeouts of later connections. */
  adjust(entry: ServerEntry): void {
    this.#entry = Promise.resolve(entry);
    this.#opened = this.#opened.then(({ client }) => ({ entry, client }));
    this.#opened.catch(() => {});
  }

  /** Ends the server, or its start where that is under way; bounded in time. */
  async stop(): Promise<void> {
    this.#aborted.abort(new Error('The host has ended the server'));
    const open = await this.#opened.catch(() => undefined);
    await open?.client.close();
  }
}
