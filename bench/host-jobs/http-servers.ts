import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineServer, defineTool } from '@mcp/protocol';
import { httpHandler } from '@mcp/protocol/http';
import { Greeter } from '../../test/greeter.ts';

const greet = defineTool({ name: 'greet', description: 'Greets.', run: () => 'Hello' });

/** Two servers over HTTP: one wants the header `X-Key: secret`, the other one a login, and accepts any. */
export class HttpServers implements AsyncDisposable {
  readonly #handler = httpHandler(defineServer({ name: 'keyed', version: '1.0.0', tools: [greet] }));
  readonly #keyed = createServer((request, response) => {
    if (request.headers['x-key'] === 'secret') this.#handler.node(request, response);
    else response.writeHead(403).end('The header X-Key is missing');
  });
  readonly #greeter: Greeter;

  private constructor(greeter: Greeter) {
    this.#greeter = greeter;
  }

  static async start(): Promise<HttpServers> {
    const servers = new HttpServers(await Greeter.start());
    await once(servers.#keyed.listen(0, '127.0.0.1'), 'listening');
    return servers;
  }

  /** The addresses, as variables for the commands. */
  get variables(): Readonly<Record<'KEYED' | 'GREETER', string>> {
    const { port } = this.#keyed.address() as AddressInfo;
    return { KEYED: `http://127.0.0.1:${port}/mcp`, GREETER: this.#greeter.url };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handler.close();
    this.#keyed.closeAllConnections();
    this.#keyed.close();
    await this.#greeter[Symbol.asyncDispose]();
  }
}
