import type { Route, RouteReply } from '@mcp/protocol/http';

/** An error in the form of RFC 6749, section 5.2, and RFC 7591, section 3.2.2. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: string;
  readonly status: number;
  readonly headers: RouteReply['headers'];

  constructor(code: string, message: string, status = 400, headers: RouteReply['headers'] = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/** A reply that no cache may keep. */
export function jsonReply(status: number, value: object, headers: RouteReply['headers'] = {}): RouteReply {
  const noStore = { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' };
  return { status, headers: { ...noStore, ...headers }, body: JSON.stringify(value) };
}

/** The route of an endpoint that takes POST alone, and answers with JSON. */
export function postRoute(answer: Route): Route {
  return async (request) => {
    try {
      if (request.method !== 'POST')
        throw new OAuthError('invalid_request', 'Send a POST request', 405, { allow: 'POST, OPTIONS' });
      // A URL is kept in logs and histories, so no parameter is taken from it.
      if (request.query.size > 0)
        throw new OAuthError('invalid_request', 'Send the parameters in the body, none in the URL');
      return await answer(request);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { code, message, status, headers } = error;
      return jsonReply(status, { error: code, error_description: message }, headers);
    }
  };
}
