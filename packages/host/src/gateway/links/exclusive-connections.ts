import type { ServerConnection } from './server-connection.ts';

/** Connections of one client to one server; above it, calls wait. */
const maxConnections = 8;

/**
 * Connections that run one call at a time, for calls whose server may ask something or log, where the gateway
 * could not say which of several calls is meant.
 */
export class ExclusiveConnections {
  readonly #open: () => Promise<ServerConnection>;
  readonly #connections: ServerConnection[] = [];
  readonly #busy = new Set<ServerConnection>();
  readonly #waiting: (() => void)[] = [];
  #opening = 0;

  constructor(open: () => Promise<ServerConnection>) {
    this.#open = open;
  }

  /** Adds a connection that is open. */
  add(connection: ServerConnection): void {
    if (!this.#connections.includes(connection)) this.#connections.push(connection);
  }

  /** A connection without a call: always the same one while there is only one call at a time. */
  async acquire(): Promise<ServerConnection> {
    for (;;) {
      const idle = this.#connections.find((connection) => !this.#busy.has(connection));
      if (idle) return this.#occupy(idle);
      if (this.#connections.length + this.#opening < maxConnections) return this.#openAnother();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  release(connection: ServerConnection): void {
    this.#busy.delete(connection);
    this.#waiting.shift()?.();
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.splice(0).map((connection) => connection.close()));
  }

  async #openAnother(): Promise<ServerConnection> {
    this.#opening++;
    try {
      const connection = await this.#open();
      this.#connections.push(connection);
      return this.#occupy(connection);
    } catch (error) {
      this.#waiting.shift()?.();
      throw error;
    } finally {
      this.#opening--;
    }
  }

  #occupy(connection: ServerConnection): ServerConnection {
    this.#busy.add(connection);
    return connection;
  }
}
