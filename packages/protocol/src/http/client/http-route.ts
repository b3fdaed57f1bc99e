import type { Route } from '../../jsonrpc/channel.ts';

/** The route to the server at a URL. `sessionId` is called each time that the id of the session is read. */
export function httpRoute(url: string, sessionId: () => string | undefined = () => undefined): Route {
  const { hostname, port, protocol } = new URL(url);
  const standard = protocol === 'https:' ? 443 : 80;
  return {
    transport: 'tcp',
    get sessionId() {
      return sessionId();
    },
    address: hostname,
    port: port === '' ? standard : Number(port),
  };
}
