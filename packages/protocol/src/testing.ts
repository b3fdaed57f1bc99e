import { Client } from './client/client.ts';
import type { ClientOptions } from './client/client-options.ts';
import type { Caller } from './define/caller.ts';
import type { Server } from './define/server.ts';
import type { JsonObject } from './jsonrpc/message.ts';
import { serve, type ServeOptions } from './server/serve.ts';
import { memoryChannels } from './transports/memory.ts';

export { Client } from './client/client.ts';
export type { ClientOptions } from './client/client-options.ts';
export { memoryChannels } from './transports/memory.ts';

/**
 * Connects a client to `server` within this process; handlers get `caller` as `call.caller`. Closing the
 * client ends the connection, but does not close the server's context.
 * @example
 * ```ts
 * import { defineServer, defineTool } from '@mcp/protocol';
 * import { connect } from '@mcp/protocol/testing';
 *
 * const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
 * await using client = await connect(defineServer({ name: 'example', version: '1.0.0', tools: [hello] }));
 * await client.callTool('hello');
 * ```
 */
export async function connect<Who extends Caller | undefined = undefined>(
  server: Server<NoInfer<Who>>,
  { caller, ...options }: ClientOptions & { readonly caller?: Who } = {},
): Promise<Client> {
  const [ours, theirs] = memoryChannels();
  // An error that ends the server rejects the client's connection too.
  const served = serve<Who>(server, theirs, caller ? { caller } : {}).then(() =>
    Promise.reject(new Error('The server has ended')),
  );
  return Promise.race([Client.connect(ours, options), served]);
}

/** A connection to `server` that sends messages unchanged, even invalid ones. */
export class RawConnection {
  readonly received: JsonObject[] = [];
  readonly #channel;
  readonly #served: Promise<void>;
  #taken = 0;
  #arrived: (() => void) | undefined;

  constructor(server: Server, options: ServeOptions = {}) {
    const [ours, theirs] = memoryChannels();
    this.#channel = ours;
    this.#served = serve(server, theirs, options);
    ours.open({
      message: (text) => {
        this.received.push(JSON.parse(text) as JsonObject);
        this.#arrived?.();
      },
      malformed: () => {},
      ended: () => this.#arrived?.(),
    });
  }

  /** Sends a string unchanged, and any other value as JSON. */
  send(message: unknown): void {
    this.#channel.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message that was not returned before. */
  async next(): Promise<JsonObject> {
    for (;;) {
      const message = this.received[this.#taken];
      if (message) {
        this.#taken++;
        return message;
      }
      await new Promise<void>((resolve) => (this.#arrived = resolve));
    }
  }

  /** Sends one message and returns the next one that arrives. */
  async ask(message: unknown): Promise<JsonObject> {
    this.send(message);
    return this.next();
  }

  /** Closes the connection and returns the messages that were not returned before. */
  async end(): Promise<JsonObject[]> {
    await this.#channel.close();
    await this.#served;
    return this.received.slice(this.#taken);
  }
}
