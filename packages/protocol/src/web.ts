import type { Server } from './define/server.ts';
import { WebRequest, webResponse } from './http/adapters/web.ts';
import { HttpEndpoint, type HttpOptions } from './http/endpoint.ts';

export type { Authorization, Grant, ResourceMetadata } from './http/security/authorization.ts';
export { sharedToken } from './http/security/authorization.ts';
export type { HttpOptions } from './http/endpoint.ts';
export type { HttpLimits } from './http/wire/limits.ts';

/** One MCP endpoint for servers with `Request` and `Response`. */
export interface FetchHandler {
  /** Answers one request. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Answers running requests, and ends every session and every stream. */
  readonly close: () => Promise<void>;
}

/**
 * Makes the endpoint of a server for a runtime or framework with the fetch API, without `node:http`. Serves
 * `options.path` (default `/mcp`) and answers 404 elsewhere. Off the loopback, `options.allowedHosts` must
 * name the host, such as `['mcp.example.com']`, and `options.allowedOrigins` each web page that may call;
 * other requests get 403.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { fetchHandler } from '@mcp/protocol/fetch';
 *
 * const { fetch } = fetchHandler(defineServer({ name: 'example', version: '1.0.0' }), {
 *   allowedHosts: ['mcp.example.com'],
 * });
 * export default { fetch };
 * ```
 */
export function fetchHandler(server: Server, options: HttpOptions = {}): FetchHandler {
  const endpoint = new HttpEndpoint(server, options);
  return {
    fetch: async (request) => webResponse(await endpoint.answer(new WebRequest(request))),
    close: () => endpoint.close(),
  };
}
