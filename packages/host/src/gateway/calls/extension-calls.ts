import { errorCodes, RpcError } from '@mcp/protocol';
import type { ProxyResult } from '@mcp/protocol/proxy';
import { extensionServers } from '../catalog/extension-servers.ts';
import type { ServerLink } from '../links/server-link.ts';

/**
 * Sends a request with a method that the gateway does not know to one server after the other, until one has
 * the method. Only a server that answers with -32601 (method not found) has not run it: after any other
 * answer, and after a failure, no further server is asked. `declared` are the extensions of the client.
 * Throws an `RpcError` if no server has the method, or if it cannot be told which one is meant.
 */
export async function callExtension(
  method: string,
  links: readonly ServerLink[],
  declared: ReadonlySet<string>,
  send: (link: ServerLink) => Promise<ProxyResult>,
): Promise<ProxyResult> {
  const { asked, alike } = extensionServers(links, declared);
  for (const link of asked) {
    try {
      return await send(link);
    } catch (error) {
      if (!(error instanceof RpcError && error.code === errorCodes.methodNotFound)) throw error;
    }
  }
  const names = alike.map(({ name }) => name).join(' and ');
  throw new RpcError(
    errorCodes.methodNotFound,
    alike.length === 0
      ? `No connected server has an extension with the method "${method}"`
      : `The method "${method}" is not sent to ${names}: they are the same program with the same extension, so that it cannot be told which one is meant; serve one of them alone`,
  );
}
