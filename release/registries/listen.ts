import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that listens on the loopback until it is disposed of. */
export interface Listening extends AsyncDisposable {
  /** The URL of the server, such as `http://127.0.0.1:4873`. */
  readonly url: string;
}

/** Lets a server listen on a free port of the loopback. */
export async function listen(server: Server): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
