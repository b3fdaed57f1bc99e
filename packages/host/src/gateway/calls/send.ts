import { isObject } from '@mcp/kit';
import { RpcError } from '@mcp/protocol';
import { type CallOptions, ClientError, type Identity } from '@mcp/protocol/client';
import {
  type JsonObject,
  type JsonSource,
  type ProxyCall,
  type ProxyConversation,
  type ProxyResult,
  sourceIn,
  untilComplete,
} from '@mcp/protocol/proxy';
import type { ServerEntry } from '../../config/entry/server-entry.ts';
import { HostError } from '../../errors.ts';
import type { MessageLimit } from '../../policy/message-limit.ts';
import { gatewayError } from '../gateway-error.ts';
import type { ServerConnection } from '../links/server-connection.ts';

/** One request to a server; its parameters have the names and ids that the server knows. */
export interface Outgoing {
  readonly method: string;
  readonly params: JsonObject;
  /** The source text of `params`, as the client sent it. */
  readonly source?: JsonSource | undefined;
  /** The `outputSchema` of the called tool. */
  readonly outputSchema?: JsonObject | undefined;
  /** Limits the texts and notifications that the server sends meanwhile. */
  readonly limit?: MessageLimit | undefined;
}

/** Maximum duration of a call in milliseconds: long, because the client decides when to cancel. */
const maxCallMs = 60 * 60_000;

/** Sends a request over a connection, and returns the server's response. */
export function send(
  connection: ServerConnection,
  { method, params, source, outputSchema, limit }: Outgoing,
  call: ProxyCall,
  options: {
    readonly identity: Identity;
    readonly signal?: AbortSignal;
    readonly currentCall?: () => ProxyCall | undefined;
  },
): Promise<ProxyResult> {
  const { client, entry, calls, limits } = connection;
  const { identity, signal, currentCall = () => call } = options;
  let text = '';
  const callOptions: CallOptions = {
    identity,
    source,
    onResponseText: (received) => (text = received),
    ...(signal ? { signal } : { canceller: (cancel) => call.whenCancelled(cancel) }),
    timeoutMs: maxCallMs,
    ...(wantsProgress(params) && {
      onProgress: (done, total, message) => {
        const isAdmitted = message === undefined || !limit || limit.admits(message);
        currentCall()?.progress(done, total, isAdmitted ? message : undefined);
      },
    }),
  };
  calls.push(call);
  if (limit) limits.add(limit);
  // The running calls are kept in an array: a `Set` of V8 would keep removed calls in memory until a full
  // garbage collection.
  const remove = () => {
    calls.splice(calls.indexOf(call), 1);
    if (limit) limits.delete(limit);
  };
  // This function is not async: one more promise would take as much time as forwarding a short message.
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

/**
 * The error of a call during which the server was stopped because of a changed configuration. Returns error
 * responses of the server unchanged.
 */
function endedWith({ name: server }: ServerEntry, error: unknown): unknown {
  if (!(error instanceof ClientError) || error.cause instanceof RpcError) return error;
  const message = `${server}: the server was ended during the call, because its configuration has changed`;
  return new HostError(message, { server, phase: 'call', hint: 'send the request again', cause: error });
}

/**
 * Sends a request for a client up to 2025-11-25. When a server of 2026-07-28 answers that it requires input,
 * the client is asked, and the request is sent again with the answers.
 */
export async function sendWithAnswers(
  connection: ServerConnection,
  outgoing: Outgoing,
  call: ProxyCall,
  { identity, conversation }: { readonly identity: Identity; readonly conversation: ProxyConversation },
): Promise<ProxyResult> {
  const { method, params } = outgoing;
  let answer = await send(connection, outgoing, call, { identity });
  const { revision } = answer;
  await untilComplete(
    method,
    params,
    answer.result,
    async (answered) => {
      answer = await send(connection, { ...outgoing, params: answered }, call, { identity });
      return answer.result;
    },
    (asked, given) =>
      conversation.ask({ method: asked, params: given, revision }, { signal: call.signal, call }),
  );
  return answer;
}

/**
 * The keys of `_meta` that describe a client. They are not forwarded, because each connection to a server
 * adds its own values.
 */
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
