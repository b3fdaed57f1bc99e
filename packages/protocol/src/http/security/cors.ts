import type { HttpReply, HttpRequest } from '../wire/http-message.ts';

/** Adds the CORS headers without which the browser would hide the answer from a page of this origin. */
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
