import { errorCodes, RpcError } from '@mcp/protocol';
import { type CallOptions, ClientError, type Identity } from '@mcp/protocol/client';
import {
  type JsonObject,
  type JsonSource,
  type ProxyCall,
  type ProxyConversation,
  type ProxyResult,
  sourceIn,
} from '@mcp/protocol/proxy';
import type { ServerEntry } from '../../config/server-entry.ts';
import { exitCodes, HostError } from '../../errors.ts';
import { gatewayError, invalid, isObject } from '../gateway-error.ts';
import type { ServerConnection } from '../links/server-connection.ts';

/** One request to a server, with the names that it knows. */
export interface Outgoing {
  readonly method: string;
  readonly params: JsonObject;
  /** The source text of `params`, as the client sent it. */
  readonly source?: JsonSource | undefined;
  /** The `outputSchema` of the called tool. */
  readonly outputSchema?: JsonObject | undefined;
}

const maxRounds = 20;
const maxInputs = 100;

/** A client decides itself how long it waits; this is how long a call may take at all. */
const maxCallMs = 60 * 60_000;

/** Sends a request over a connection, and returns the server's response. */
export function send(
  connection: ServerConnection,
  { method, params, source, outputSchema }: Outgoing,
  call: ProxyCall,
  options: {
    readonly identity: Identity;
    readonly signal?: AbortSignal;
    readonly carrier?: () => ProxyCall | undefined;
  },
): Promise<ProxyResult> {
  const { client, entry } = connection;
  const { identity, signal, carrier = () => call } = options;
  let text = '';
  const callOptions: CallOptions = {
    identity,
    source,
    responseText: (received) => (text = received),
    ...(signal ? { signal } : { canceller: (cancel) => call.whenCancelled(cancel) }),
    timeoutMs: maxCallMs,
    ...(wantsProgress(params) && {
      progress: (done, total, message) => carrier()?.progress(done, total, message),
    }),
  };
  connection.calls.add(call);
  // Not async: each promise takes as long as a short message.
  return client.forward(method, serverParams(params), callOptions).then(
    (result) => {
      connection.calls.delete(call);
      const source = sourceIn(text, 'result', result);
      return { result, source, protocolVersion: client.protocolVersion, outputSchema };
    },
    (error: unknown) => {
      connection.calls.delete(call);
      throw gatewayError(connection.isClosed ? endedWith(entry, error) : error, entry);
    },
  );
}

/**
 * The error of a call that was running when its server was ended; an error response of the server
 * is returned unchanged.
 */
function endedWith({ name: server }: ServerEntry, error: unknown): unknown {
  if (!(error instanceof ClientError) || error.cause instanceof RpcError) return error;
  return new HostError(`${server}: the call has ended with its server, whose configuration has changed`, {
    server,
    phase: 'call',
    exitCode: exitCodes.unreachable,
    hint: 'send the request again',
    cause: error,
  });
}

/**
 * Sends a request for a client up to 2025-11-25. Where a server of 2026-07-28 requires input,
 * the client is asked, and the request is sent again with the answers.
 */
export async function sendWithAnswers(
  connection: ServerConnection,
  outgoing: Outgoing,
  call: ProxyCall,
  { identity, conversation }: { readonly identity: Identity; readonly conversation: ProxyConversation },
): Promise<ProxyResult> {
  let { params } = outgoing;
  for (let round = 0; round <= maxRounds; round++) {
    const answer = await send(connection, { ...outgoing, params }, call, { identity });
    const { result, protocolVersion } = answer;
    if (result['resultType'] !== 'input_required') return answer;
    const { inputRequests, requestState } = result;
    const ask = (method: string, given: JsonObject | undefined) =>
      conversation.ask({ method, params: given, protocolVersion }, { signal: call.signal, call });
    params = {
      ...outgoing.params,
      ...(inputRequests !== undefined && { inputResponses: await answers(inputRequests, ask) }),
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw new RpcError(errorCodes.internalError, `The server has required input ${maxRounds} times; giving up`);
}

async function answers(
  requests: unknown,
  ask: (method: string, params: JsonObject | undefined) => Promise<JsonObject>,
): Promise<JsonObject> {
  if (!isObject(requests) || Object.keys(requests).length > maxInputs)
    throw invalid('The server has required input that cannot be read');
  const entries = Object.entries(requests).map(async ([key, request]) => {
    if (!isObject(request) || typeof request['method'] !== 'string')
      throw invalid('The server has required input that cannot be read');
    const { method, params } = request;
    return [key, await ask(method, isObject(params) ? params : undefined)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** What `_meta` says of a client; each connection says it of its own. */
const ownMeta = new Set([
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/logLevel',
]);

function serverParams(params: JsonObject): JsonObject {
  const { _meta: meta, ...others } = params;
  if (!isObject(meta)) return params;
  const kept = Object.entries(meta).filter(([key]) => !ownMeta.has(key));
  return kept.length > 0 ? { ...others, _meta: Object.fromEntries(kept) } : others;
}

function wantsProgress({ _meta }: JsonObject): boolean {
  return isObject(_meta) && _meta['progressToken'] !== undefined;
}
