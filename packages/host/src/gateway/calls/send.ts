import { isObject } from '@mcp/kit';
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
import type { ServerEntry } from '../../config/entry/server-entry.ts';
import { exitCodes, HostError } from '../../errors.ts';
import { gatewayError, invalid } from '../gateway-error.ts';
import type { ServerConnection } from '../links/server-connection.ts';

/** One request to a server; its parameters have the names and ids that the server knows. */
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

/** Maximum duration of a call in milliseconds; the client itself decides how long it waits. */
const maxCallMs = 60 * 60_000;

/** Sends a request over a connection, and returns the server's response. */
export function send(
  connection: ServerConnection,
  { method, params, source, outputSchema }: Outgoing,
  call: ProxyCall,
  options: {
    readonly identity: Identity;
    readonly signal?: AbortSignal;
    readonly currentCall?: () => ProxyCall | undefined;
  },
): Promise<ProxyResult> {
  const { client, entry, calls } = connection;
  const { identity, signal, currentCall = () => call } = options;
  let text = '';
  const callOptions: CallOptions = {
    identity,
    source,
    onResponseText: (received) => (text = received),
    ...(signal ? { signal } : { canceller: (cancel) => call.whenCancelled(cancel) }),
    timeoutMs: maxCallMs,
    ...(wantsProgress(params) && {
      onProgress: (done, total, message) => currentCall()?.progress(done, total, message),
    }),
  };
  calls.push(call);
  // The calls are in an array: in a `Set`, V8 would keep calls that are over until the next full garbage
  // collection.
  const remove = () => void calls.splice(calls.indexOf(call), 1);
  // Not async: a further promise would take as long as a short message.
  return client.forward(method, serverParams(params), callOptions).then(
    (result) => {
      remove();
      const source = sourceIn(text, 'result', result);
      return { result, source, revision: client.revision, outputSchema };
    },
    (error: unknown) => {
      remove();
      throw gatewayError(connection.isClosed ? endedWith(entry, error) : error, entry);
    },
  );
}

/** The error of a call whose server a changed configuration has ended; error responses are unchanged. */
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
    const { result, revision } = answer;
    if (result['resultType'] !== 'input_required') return answer;
    const { inputRequests, requestState } = result;
    const ask = (method: string, given: JsonObject | undefined) =>
      conversation.ask({ method, params: given, revision }, { signal: call.signal, call });
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
    throw invalid(
      `Invalid "inputRequests" of the server; expected an object with at most ${maxInputs} requests`,
    );
  const entries = Object.entries(requests).map(async ([key, request]) => {
    if (!isObject(request) || typeof request['method'] !== 'string')
      throw invalid(`Invalid input request ${JSON.stringify(key)} of the server: it has no "method"`);
    const { method, params } = request;
    return [key, await ask(method, isObject(params) ? params : undefined)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The keys of `_meta` that describe a client: each connection sends its own values for them. */
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
