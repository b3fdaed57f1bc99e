import { AuthorizationServer } from './authorization-server.ts';
import { ProtectedServer } from './protected-server.ts';

/** A protected server and its authorization server. */
export interface Servers extends AsyncDisposable {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
}

/** Starts both; the issuer's URL may have a path. */
export async function startServers(path = ''): Promise<Servers> {
  const issuer = await AuthorizationServer.start(path);
  const server = await ProtectedServer.start(issuer);
  return {
    issuer,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
    },
  };
}
