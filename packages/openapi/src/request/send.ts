import { abortable, fetchErrorText, isRedirect, maxDelayMs, readText } from '@mcp/kit';

/** The limits of one request and its response. */
export interface SendOptions {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Of the call. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** A response whose body has been read. */
export interface Reply {
  readonly status: number;
  readonly statusText: string;
  /** The media type with its parameters; empty if the response names none. */
  readonly type: string;
  /** Undefined if the body is not text. */
  readonly text: string | undefined;
}

const maxRedirects = 5;

/**
 * Sends a request and reads its response. Follows redirects of GET and HEAD within the origin. Throws an
 * `Error` if there is no response, if it is too large, or if it is another redirect.
 */
export async function send(request: Request, options: SendOptions): Promise<Reply> {
  const timeout = AbortSignal.timeout(Math.min(Math.ceil(options.timeoutMs), maxDelayMs));
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    return await exchange(request, { ...options, signal });
  } catch (error) {
    if (signal.aborted && !options.signal.aborted) {
      throw new Error(`no answer within ${options.timeoutMs / 1_000} seconds`, { cause: error });
    }
    throw new Error(fetchErrorText(error), { cause: error });
  }
}

async function exchange(first: Request, { fetch, signal, maxBytes }: SendOptions): Promise<Reply> {
  let request = first;
  for (let count = 0; ; count++) {
    const response = await abortable(fetch(new Request(request, { signal })), signal);
    if (!isRedirect(response)) return read(response, { signal, maxBytes });
    void response.body?.cancel().catch(() => undefined);
    if (count === maxRedirects) throw new Error(`more than ${maxRedirects} redirects`);
    request = redirected(request, response);
  }
}

function redirected(request: Request, { status, headers }: Response): Request {
  const location = headers.get('location') ?? '';
  const target = URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
  if (target?.origin !== new URL(request.url).origin) {
    throw new Error(`a redirect (${status}) to ${originText(target)}, which is not followed`);
  }
  if (target.username !== '' || target.password !== '') {
    throw new Error(`a redirect (${status}) to a URL with a user, which is not followed`);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new Error(`a redirect (${status}), which is followed only for GET and HEAD`);
  }
  return new Request(target, { method: request.method, headers: request.headers, redirect: 'manual' });
}

/** The rest of the URL may have a secret. */
function originText(target: URL | undefined): string {
  if (target === undefined) return 'no URL';
  return target.origin === 'null' ? `a URL of ${target.protocol}` : target.origin;
}

async function read(response: Response, bounds: { signal: AbortSignal; maxBytes: number }): Promise<Reply> {
  const { status, statusText, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (isText(type)) return { status, statusText, type, text: await readText(response, bounds) };
  void response.body?.cancel().catch(() => undefined);
  return { status, statusText, type, text: undefined };
}

function isText(type: string): boolean {
  return (
    type === '' ||
    /^\s*(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|x-ndjson|javascript|x-www-form-urlencoded)\s*(?:;|$))/i.test(
      type,
    )
  );
}
