import { type HttpReply, type HttpRequest, jsonReply } from '../wire/http-message.ts';
import { errorText } from '../../jsonrpc/message.ts';
import { invalidRequest } from '../../jsonrpc/error.ts';

/** Names this machine has for itself. */
const loopback = ['localhost', '127.0.0.1', '[::1]'];

export interface GuardOptions {
  /** Host names, without ports, that clients may call this server by; those of the loopback unless said otherwise. */
  readonly allowedHosts?: readonly string[] | 'any';
  /** Origins of web pages that may call this server, such as `https://example.com`; pages of allowed hosts always may. */
  readonly allowedOrigins?: readonly string[];
}

/**
 * Keeps out web pages that were made to call this machine: by a name that resolves to it (DNS rebinding),
 * or from another origin. Undefined where a request may go on.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security--endpoint
 */
export function guard(request: HttpRequest, options: GuardOptions): HttpReply | undefined {
  const { allowedHosts = loopback, allowedOrigins = [] } = options;
  const host = hostName(request.header('host') ?? '');
  if (allowedHosts !== 'any' && !allowedHosts.includes(host)) {
    return refuse(403, `This server is not called "${host}"`);
  }
  const origin = request.header('origin');
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  const from = /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
  const known = from !== undefined && allowedHosts !== 'any' && allowedHosts.includes(hostName(from));
  return known ? undefined : refuse(403, `Pages of "${origin}" may not call this server`);
}

/** An HTTP error whose body says why, as a JSON-RPC error of nobody's request. */
export function refuse(status: number, message: string, headers: HttpReply['headers'] = {}): HttpReply {
  return jsonReply(status, errorText(undefined, { code: invalidRequest, message }), headers);
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}
