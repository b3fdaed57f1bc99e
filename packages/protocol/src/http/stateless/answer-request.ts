import { isObject, messageOf } from '@mcp/kit';
import type { Sender } from '../../define/caller.ts';
import { internalError, invalidRequest, methodNotFound, parseError, RpcError } from '../../jsonrpc/error.ts';
import { errorText, type Message, type Notification, type Request } from '../../jsonrpc/message.ts';
import {
  headerMismatch,
  legalError,
  missingClientCapability,
  unsupportedVersion,
} from '../../revisions/codes.ts';
import { metaKeys } from '../../revisions/meta-keys.ts';
import { modern } from '../../revisions/table.ts';
import type { Peer } from '../../server/call/active-call.ts';
import { peerIn, metaOf } from '../../server/connection/request-meta.ts';
import { Connection } from '../../server/connection/connection.ts';
import { sessionFor } from '../../server/proxy/open-session.ts';
import type { Runtime } from '../../server/runtime.ts';
import { checkHeaders, mismatch } from './check-headers.ts';
import { EventStream } from '../wire/event-stream.ts';
import { emptyReply, type HttpReply, type HttpRequest, jsonReply } from '../wire/http-message.ts';
import { type MessageStream, ReplyOutlet } from '../wire/reply-outlet.ts';

export interface StatelessOptions {
  readonly keepAliveMs: number;
  readonly sender: Sender;
  readonly warn: (message: string) => void;
  /** The connections whose request is being answered. */
  readonly open: Set<Connection>;
}

const statuses: ReadonlyMap<number, number> = new Map([
  [parseError, 400],
  [invalidRequest, 400],
  [methodNotFound, 404],
  [headerMismatch, 400],
  [missingClientCapability, 400],
  [unsupportedVersion, 400],
]);

const statusOf = (code: number | undefined) => (code === undefined ? 200 : (statuses.get(code) ?? 200));

/**
 * Answers one message in revision 2026-07-28, which needs no session.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export async function answerStateless(
  runtime: Runtime,
  request: HttpRequest,
  message: Message,
  { keepAliveMs, sender, warn, open }: StatelessOptions,
): Promise<HttpReply> {
  let peer: Peer | undefined;
  try {
    if (message.kind === 'notification') return acceptNotification(request, message.notification);
    if (message.kind === 'response')
      throw new RpcError(invalidRequest, 'Unexpected response: the server has sent no request');
    if (message.kind === 'request') {
      if (message.request.method === 'tools/call' && !runtime.loaded) await runtime.load();
      peer = check(runtime, request, message.request, { principal: sender.caller?.principal, warn });
      if (runtime.proxy) await checkProxied(runtime, request, message.request, peer);
    }
  } catch (error) {
    const id = message.kind === 'request' ? message.request.id : undefined;
    if (error instanceof RpcError) return jsonReply(400, errorText(id, legalError(modern, error)));
    return jsonReply(500, errorText(id, new RpcError(internalError, messageOf(error))));
  }

  const openStream = () => {
    const stream = new PlainStream();
    stream.keepAlive(keepAliveMs);
    stream.renewed = (caller) => connection.renewed(caller);
    stream.whenClosed(() => void connection.close());
    return stream;
  };
  const outlet = new ReplyOutlet({ open: openStream, statusOf });
  const connection = new Connection(runtime, outlet, { warn, sender });
  connection.accept(message, outlet, { peer });
  if (!outlet.over) {
    open.add(connection);
    outlet.whenOver(() => open.delete(connection));
    request.whenGone(() => void connection.close());
  }
  return outlet.reply;
}

// The specification requires no headers for a notification, but headers that are present must match its body.
function acceptNotification(request: HttpRequest, { method, params }: Notification): HttpReply {
  const said = (isObject(params) ? metaOf(params) : undefined)?.[metaKeys.protocolVersion];
  compareIfThere(request, 'MCP-Protocol-Version', said);
  compareIfThere(request, 'Mcp-Method', method);
  return emptyReply(202);
}

function compareIfThere(request: HttpRequest, name: string, expected: unknown): void {
  const value = request.header(name.toLowerCase());
  if (value !== undefined && typeof expected === 'string' && value !== expected) {
    throw mismatch(request, name, expected);
  }
}

/**
 * The client that sends a request, as `_meta` describes it. Throws if `_meta` is missing or invalid, or if
 * headers contradict the body.
 */
function check(
  runtime: Runtime,
  request: HttpRequest,
  { method, params = {} }: Request,
  options: Pick<Peer, 'principal' | 'warn'>,
): Peer {
  const meta = metaOf(params) ?? {};
  const said = meta[metaKeys.protocolVersion];
  if (typeof said === 'string' && request.header('mcp-protocol-version') !== said) {
    throw mismatch(request, 'MCP-Protocol-Version', said);
  }
  const peer = peerIn(meta, runtime.server.definition.logging === true, options);
  const { name } = params;
  const tool = method === 'tools/call' && typeof name === 'string' ? runtime.tool(name) : undefined;
  checkHeaders(request, method, params, tool?.inputJson);
  return peer;
}

/**
 * Checks the headers of a call of a tool that a proxy lists. The session of the proxy provides the tool's
 * schema, which names these headers.
 */
async function checkProxied(
  runtime: Runtime,
  request: HttpRequest,
  { method, params = {} }: Request,
  peer: Peer,
): Promise<void> {
  const { name } = params;
  if (method !== 'tools/call' || typeof name !== 'string') return;
  const session = sessionFor(runtime, peer, { shared: false });
  checkHeaders(request, method, params, await session.inputSchema(name));
}

/** A stream that cannot be resumed: it ends when its connection closes. */
class PlainStream extends EventStream implements MessageStream {
  readonly events = this;

  message(text: string): void {
    this.send({ data: text });
  }

  abandon(): void {
    this.end();
  }
}
