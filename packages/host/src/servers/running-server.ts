import type { Client } from '@mcp/protocol/client';
import type { ServerDefinition } from '../config/definition.ts';

/** A connected server. */
export interface OpenServer {
  readonly definition: ServerDefinition;
  readonly client: Client;
}

/** One server from its start to its end. */
export class RunningServer {
  readonly #aborted = new AbortController();
  #definition: Promise<ServerDefinition>;
  #opened: Promise<OpenServer>;

  constructor(
    definition: Promise<ServerDefinition>,
    connect: (definition: ServerDefinition, signal: AbortSignal) => Promise<Client>,
  ) {
    this.#definition = definition;
    this.#opened = definition.then(async (resolved) => ({
      definition: resolved,
      client: await connect(resolved, this.#aborted.signal),
    }));
    // A failure belongs to the callers of `opened`.
    this.#opened.catch(() => {});
  }

  /** Rejects where its variables cannot be expanded. */
  get definition(): Promise<ServerDefinition> {
    return this.#definition;
  }

  get opened(): Promise<OpenServer> {
    return this.#opened;
  }

  /** Replaces settings that a running server does not see: filters and timeouts of later connections. */
  adjust(definition: ServerDefinition): void {
    this.#definition = Promise.resolve(definition);
    this.#opened = this.#opened.then(({ client }) => ({ definition, client }));
    this.#opened.catch(() => {});
  }

  /** Ends the server, or its start where that is under way; bounded in time. */
  async stop(): Promise<void> {
    this.#aborted.abort(new Error('The host has ended the server'));
    const open = await this.#opened.catch(() => undefined);
    await open?.client.close();
  }
}
