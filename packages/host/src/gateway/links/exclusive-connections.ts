import type { ServerConnection } from './server-connection.ts';

/** Maximum number of connections of one client to one server; above it, calls wait. */
const maxConnections = 8;

/**
 * Connections that run only one call at a time: each request or log message that the server sends belongs to
 * this call.
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

  add(connection: ServerConnection): void {
    this.#connections.push(connection);
  }

  /**
   * Reserves an idle connection until it is given to `release`. If all are busy, opens another one or waits.
   */
  async acquire(): Promise<ServerConnection> {
    for (;;) {
      const idle = this.#connections.find((connection) => !this.#busy.has(connection));
      if (idle) {
        this.#busy.add(idle);
        return idle;
      }
      if (this.#connections.length + this.#opening < maxConnections) await this.#openAnother();
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  release(connection: ServerConnection): void {
    this.#busy.delete(connection);
    this.#waiting.shift()?.();
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.splice(0).map((connection) => connection.close()));
  }

  async #openAnother(): Promise<void> {
    this.#opening++;
    try {
      this.#connections.push(await this.#open());
    } finally {
      this.#opening--;
      this.#waiting.shift()?.();
    }
  }
}
