import type { HttpReply, HttpRequest } from '../wire/http-message.ts';

/** What a web page of an allowed origin needs to be told before its browser lets it read answers. */
export function readableBy(origin: string, reply: HttpReply): HttpReply {
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'mcp-session-id, www-authenticate',
      vary: 'origin',
    },
  };
}

/** Answers a browser that asks before it sends. */
export function preflight(request: HttpRequest): HttpReply {
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers': request.header('access-control-request-headers') ?? '*',
      'access-control-max-age': '600',
    },
  };
}
