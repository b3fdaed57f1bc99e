import { isObject } from '@mcp/kit';
import { RpcError } from '@mcp/protocol';
import type { JsonObject } from '@mcp/protocol/proxy';

/** The code of the error for a request that needs a capability which the client has not declared. */
const missingClientCapability = -32021;

/**
 * The capability that a client must have declared to get a request of a server; undefined for a request that
 * the protocol does not have.
 */
function requiredCapability(method: string, params: unknown): JsonObject | undefined {
  const given = isObject(params) ? params : {};
  switch (method) {
    case 'elicitation/create':
      return { elicitation: given['mode'] === 'url' || 'url' in given ? { url: {} } : { form: {} } };
    case 'sampling/createMessage':
      return { sampling: 'tools' in given || 'toolChoice' in given ? { tools: {} } : {} };
    case 'roots/list':
      return { roots: {} };
    default:
      return undefined;
  }
}

/**
 * Whether a client that has `declared` these capabilities may get a request of a server. A request that the
 * protocol does not have may be that of an extension.
 */
export function mayAsk(declared: JsonObject, method: string, params: unknown): boolean {
  const required = requiredCapability(method, params);
  if (!required) return isObject(declared['extensions']) && Object.keys(declared['extensions']).length > 0;
  return Object.entries(required).every(([name, modes]) => {
    const capability = declared[name];
    if (!isObject(capability)) return false;
    // A client that names no mode of elicitation supports forms.
    const has = (mode: string) => mode in capability || (mode === 'form' && !('url' in capability));
    return Object.keys(modes as JsonObject).every(has);
  });
}

/**
 * Throws an `RpcError` for a result by which a server asks a client for something that the client has not
 * declared.
 */
export function refuseUndeclared(declared: JsonObject, server: string, { inputRequests }: JsonObject): void {
  if (!isObject(inputRequests)) return;
  for (const request of Object.values(inputRequests)) {
    const { method, params } = isObject(request) ? request : {};
    if (typeof method !== 'string' || mayAsk(declared, method, params)) continue;
    throw new RpcError(
      missingClientCapability,
      `The client does not support "${method}", which the server "${server}" requires`,
      { requiredCapabilities: requiredCapability(method, params) ?? {} },
    );
  }
}
