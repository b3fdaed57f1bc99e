import type { ServerConnection } from './server-connection.ts';

/** Maximum number of connections of one client to one server; above it, calls wait. */
const maxConnections = 8;

/** Connections that run one call at a time, so that a question or a log message belongs to that call. */
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

  /** Reserves a connection without a call until `release`; opens one, or waits if all are busy. */
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
