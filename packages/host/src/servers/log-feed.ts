import type { LogMessage } from '@mcp/protocol/client';

/** A log message, and the server that sent it. */
export interface ServerLogMessage extends LogMessage {
  readonly server: string;
}

/** Passes the log messages of all servers to the commands that print them. */
export class LogFeed {
  readonly #listeners = new Set<(message: ServerLogMessage) => void>();

  publish(server: string, message: LogMessage): void {
    for (const listener of this.#listeners) listener({ server, ...message });
  }

  /** Calls `listener` with each message, until the returned function is called. */
  listen(listener: (message: ServerLogMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
