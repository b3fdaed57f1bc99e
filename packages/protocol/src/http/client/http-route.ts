import type { Route } from '../../jsonrpc/channel.ts';
import { isPipe, socketAddressOf } from '../wire/socket-url.ts';

/** The route to the server at a URL. `sessionId` is called each time that the id of the session is read. */
export function httpRoute(url: string, sessionId: () => string | undefined = () => undefined): Route {
  return {
    ...addressIn(url),
    http: true,
    get sessionId() {
      return sessionId();
    },
  };
}

function addressIn(url: string): Pick<Route, 'transport' | 'address' | 'port'> {
  const socket = socketAddressOf(url);
  if (socket) return { transport: isPipe(socket.socketPath) ? 'pipe' : 'unix', address: socket.socketPath };
  const { hostname, port, protocol } = new URL(url);
  const standard = protocol === 'https:' ? 443 : 80;
  return { transport: 'tcp', address: hostname, port: port === '' ? standard : Number(port) };
}
