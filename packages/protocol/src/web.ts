import type { Caller } from './define/caller.ts';
import type { Server } from './define/server.ts';
import { WebRequest, webResponse } from './http/adapters/web.ts';
import type { Authorization } from './http/security/authorization.ts';
import { ofEndpoint, refuseUnknownOptions } from './http/known-options.ts';
import { HttpEndpoint, type HttpOptions } from './http/endpoint.ts';

export type { Authorization, ResourceMetadata } from './http/security/authorization.ts';
export { sharedToken } from './http/security/authorization.ts';
export {
  type DpopSupport,
  InvalidProof,
  type TokenUse,
  type Verify,
  VerifierUnavailable,
} from './http/security/verify.ts';
export type { ServerCard } from './http/discovery/server-card.ts';
export type { HttpOptions } from './http/endpoint.ts';
export type { EndedSessions } from './http/sessions/ended-sessions.ts';
export type { Channel, Envelope, Receiver } from './jsonrpc/channel.ts';
export { serve, type ServeOptions } from './server/serve.ts';
export type { Route, RouteReply, RouteRequest } from './http/wire/http-message.ts';
export type { HttpLimits } from './http/wire/limits.ts';

/** One MCP endpoint for servers with `Request` and `Response`. */
export interface WebHandler {
  /** Answers one request. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Stops accepting requests, gives running ones a limited time, and ends every session and stream. */
  readonly close: () => Promise<void>;
}

/**
 * Makes the endpoint of a server for a runtime or framework with the fetch API, without `node:http`. Serves
 * `options.path` (default `/mcp`) and answers 404 elsewhere. By default only requests for a loopback host are
 * served. `options.allowedHosts`, such as `['mcp.example.com']`, replaces the loopback hosts by others, and
 * `options.allowedOrigins` names the origins of web pages on further hosts. All other requests get 403.
 * Throws an `Error` for an unknown option.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { webHandler } from '@mcp/protocol/web';
 *
 * const { fetch } = webHandler(defineServer({ name: 'example', version: '1.0.0' }), {
 *   allowedHosts: ['mcp.example.com'],
 * });
 * export default { fetch };
 * ```
 */
export function webHandler<Who extends Caller | undefined>(
  server: Server<Who>,
  options: HttpOptions & { readonly authorization: Authorization<NonNullable<NoInfer<Who>>> },
): WebHandler;
export function webHandler(server: Server, options?: HttpOptions): WebHandler;
export function webHandler(server: Server, options: HttpOptions = {}): WebHandler {
  refuseUnknownOptions('webHandler', ofEndpoint, options);
  const endpoint = new HttpEndpoint(server, options);
  return {
    fetch: async (request) => webResponse(await endpoint.answer(new WebRequest(request))),
    close: () => endpoint.close(),
  };
}
