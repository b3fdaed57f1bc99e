import { messageOf, oneLine } from '@mcp/kit';
import type { Clock } from '../clock.ts';
import { WeatherError, quoted } from '../errors.ts';
import { invalidReply, lineIn } from '../json-fields.ts';
import { readBody } from './read-body.ts';
import type { HostLimiter } from './host-limiter.ts';

export interface HttpLimits {
  /** Timeout of one attempt in milliseconds, from connecting to the last byte. */
  readonly attemptTimeoutMs: number;
  /** Timeout in milliseconds of all attempts together, including the pauses between them. */
  readonly totalTimeoutMs: number;
  readonly maxAttempts: number;
  /** Maximum size of a body in bytes, after decompression. */
  readonly maxBodyBytes: number;
  readonly maxRedirects: number;
}

const defaultLimits: HttpLimits = {
  attemptTimeoutMs: 5_000,
  totalTimeoutMs: 15_000,
  maxAttempts: 3,
  maxBodyBytes: 5 * 1024 * 1024,
  maxRedirects: 2,
};

export interface HttpOptions {
  readonly userAgent: string;
  readonly limits?: Partial<HttpLimits> | undefined;
  readonly clock: Clock;
}

/** A GET request, and the limiter of its host. */
export interface HttpRequest {
  readonly url: URL;
  readonly limiter: HostLimiter;
  readonly accept?: string;
  /** How many requests the upstream counts for this request; defaults to 1. */
  readonly weight?: number;
  /** Limits of this request that differ from those of the client. */
  readonly limits?: Partial<HttpLimits>;
  /** Whether no caller waits for the reply. */
  readonly background?: boolean;
}

/** A reply with a JSON body. */
export interface HttpReply {
  readonly text: string;
  readonly json: unknown;
  /** How long the reply is still fresh by its `max-age`; undefined if it has no `max-age`. */
  readonly maxAgeMs: number | undefined;
  readonly receivedAt: number;
}

/** Maximum number of milliseconds that a `Retry-After` is obeyed; a longer wait is shortened to this time. */
const maxRetryAfterMs = 3_600_000;

const retryableStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Fetches JSON with GET. It limits time, size and retries, and obeys the limits of the upstream. */
export class HttpClient {
  readonly #userAgent: string;
  readonly #limits: HttpLimits;
  readonly #clock: Clock;

  constructor({ userAgent, limits, clock }: HttpOptions) {
    this.#userAgent = userAgent;
    this.#limits = { ...defaultLimits, ...limits };
    this.#clock = clock;
  }

  /** Fetches JSON. Rejects with a `WeatherError`, or with the reason of the signal. */
  async getJson(request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const { limiter } = request;
    const release = await limiter.semaphore.acquire(signal);
    try {
      return await this.#fetchWithRetries(request, signal);
    } finally {
      release();
    }
  }

  async #fetchWithRetries(request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const { maxAttempts, totalTimeoutMs } = this.#limits;
    const end = this.#clock.now() + totalTimeoutMs;
    for (let attempt = 1; ; attempt++) {
      await this.#waitUntilAllowed(request, end, signal);
      const outcome = await this.#attempt(request, end, signal);
      if (!('failure' in outcome)) return outcome;
      const { failure, waitMs = Math.random() * 250 * 2 ** (attempt - 1) } = outcome;
      if (this.#clock.now() + waitMs >= end) throw failure;
      if (attempt === maxAttempts) throw withAttempts(failure, attempt);
      await this.#clock.pause(waitMs, signal);
    }
  }

  /** Waits until the host's limits allow the request. Throws if that is after `end`, in ms since 1970. */
  async #waitUntilAllowed(
    { url, limiter, weight = 1, background = false }: HttpRequest,
    end: number,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      const blocked = limiter.blockedUntil - now;
      const wait = blocked > 0 ? blocked : (limiter.quota?.take(weight, now, background ? 0.5 : 1) ?? 0);
      if (wait <= 0) return;
      if (now + wait >= end) {
        throw rateLimited(url, wait, blocked > 0 ? limiter.blockedReason : 'the quota is used up');
      }
      await this.#clock.pause(wait, signal);
    }
  }

  async #attempt(request: HttpRequest, end: number, signal: AbortSignal): Promise<HttpReply | Retry> {
    const { attemptTimeoutMs } = { ...this.#limits, ...request.limits };
    const timeout = AbortSignal.timeout(Math.max(1, Math.min(attemptTimeoutMs, end - this.#clock.now())));
    try {
      return await this.#fetch(request, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WeatherError) throw error;
      const { host } = request.url;
      const [kind, message] = timeout.aborted
        ? (['timed_out', `${host} did not answer within ${attemptTimeoutMs / 1000} seconds`] as const)
        : (['unreachable', `Cannot reach ${host}: ${reasonOf(error)}`] as const);
      return { failure: new WeatherError(kind, `${message}. ${offlineHint}`, {}, { cause: error }) };
    }
  }

  async #fetch(request: HttpRequest, signal: AbortSignal): Promise<HttpReply | Retry> {
    const { url, accept = 'application/json' } = request;
    let target = url;
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(target, {
        redirect: 'manual',
        signal,
        headers: { accept, 'user-agent': this.#userAgent },
      });
      const { status, headers } = response;
      const location = status >= 301 && status <= 308 && status !== 304 ? headers.get('location') : null;
      if (location === null) return this.#readReply(request, response);
      await response.body?.cancel();
      target = redirectTarget(target, location, redirects < this.#limits.maxRedirects);
    }
  }

  async #readReply(request: HttpRequest, response: Response): Promise<HttpReply | Retry> {
    const { status, headers } = response;
    const { host } = request.url;
    const type = headers.get('content-type') ?? '';
    const isJsonType = /^[^;]*json/i.test(type);
    if (status !== 200) {
      const body = await readBody(response, 64 * 1024).catch(() => '');
      return this.#failureOf(request, response, isJsonType ? parsed(body) : undefined);
    }
    if (!isJsonType) {
      await response.body?.cancel();
      const given = type === '' ? 'no content type' : oneLine(type, 60);
      throw invalidReply(
        `${host} answered with ${given} instead of JSON. A proxy or a login page may have intercepted the request`,
      );
    }
    const text = await readBody(response, request.limits?.maxBodyBytes ?? this.#limits.maxBodyBytes);
    const json = parsed(text);
    if (json === undefined) {
      const [, failure] = /Unexpected error while streaming data: ([^\n]{0,200})/.exec(text) ?? [];
      throw invalidReply(
        failure === undefined
          ? `${host} answered with invalid JSON`
          : `${host} failed while sending its answer: ${oneLine(failure, maxReasonLength)}`,
      );
    }
    return { text, json, maxAgeMs: maxAgeOf(headers), receivedAt: this.#clock.now() };
  }

  /** Returns the failure for a reply whose status is not 200. Throws it if another attempt makes no sense. */
  #failureOf({ url, limiter }: HttpRequest, { status, headers }: Response, problem: unknown): Retry {
    const reason =
      lineIn(problem, 'reason', 500) ?? lineIn(problem, 'detail', 500) ?? lineIn(problem, 'title', 500);
    const now = this.#clock.now();
    if (status === 429) {
      const waitMs = retryDelay(headers, reason, now);
      const failure = rateLimited(url, waitMs, reason);
      limiter.block(now + waitMs, String(failure.facts['reason']));
      if (/hourly|daily/i.test(reason ?? '')) throw failure;
      return { failure, waitMs };
    }
    const facts = { status, ...problemFacts(problem), ...(reason !== undefined && { reason }) };
    const explanation = reason === undefined ? `status ${status}` : quoted(reason, 300);
    if (retryableStatuses.has(status)) {
      const message = `${url.host} cannot answer at the moment: ${explanation}`;
      const waitMs = headers.has('retry-after') ? retryDelay(headers, reason, now) : undefined;
      return { failure: new WeatherError('upstream_error', message, facts), waitMs };
    }
    const kind = status === 304 ? 'invalid_reply' : status < 500 ? 'refused' : 'upstream_error';
    throw new WeatherError(kind, `${url.host} refused the request: ${explanation}`, facts);
  }
}

/** A failure after which a retry makes sense, after `waitMs` or, if undefined, an exponential backoff. */
interface Retry {
  readonly failure: WeatherError;
  readonly waitMs?: number | undefined;
}

const offlineHint = 'Without a network, use the provider dataset or the demo';

function rateLimited(url: URL, waitMs: number, reason = 'too many requests'): WeatherError {
  const seconds = Math.ceil(waitMs / 1000);
  return new WeatherError(
    'rate_limited',
    `${url.host} accepts no more requests for now: ${quoted(reason, 200)}. Try again in ${seconds} second${seconds === 1 ? '' : 's'}`,
    { retryAfterMs: Math.ceil(waitMs), reason },
  );
}

function withAttempts(failure: WeatherError, attempts: number): WeatherError {
  return new WeatherError(failure.kind, `${failure.message} (${attempts} attempts)`, failure.facts, {
    cause: failure,
  });
}

/**
 * Returns the target of a redirect. Throws a `WeatherError` if it has another scheme or host, or if `allowed`
 * is false, because there were too many redirects.
 */
function redirectTarget(from: URL, location: string, allowed: boolean): URL {
  if (!URL.canParse(location, from.href))
    throw invalidReply(`${from.host} redirects to an invalid URL: ${quoted(location)}`);
  const to = new URL(location, from);
  if (to.protocol !== from.protocol || to.host !== from.host) {
    throw invalidReply(
      `${from.host} redirects to another host, ${quoted(`${to.protocol}//${to.host}`)}: refused. A login page may have intercepted the request`,
    );
  }
  if (!allowed) throw invalidReply(`${from.host} redirects too often`);
  return to;
}

/**
 * Returns how many ms to wait after status 429: as `Retry-After` says, or until the exceeded limit resets.
 */
function retryDelay(headers: Headers, reason: string | undefined, now: number): number {
  const given = headers.get('retry-after');
  if (given !== null && /^\d{1,15}$/.test(given)) return Math.min(Number(given) * 1000, maxRetryAfterMs);
  const date = given === null ? Number.NaN : instantOfHttpDate(given);
  if (!Number.isNaN(date)) return Math.min(Math.max(0, date - now), maxRetryAfterMs);
  const untilNext = (span: number) => span - (now % span);
  if (reason === undefined) return 5_000;
  if (/concurrent/i.test(reason)) return 1_000;
  if (/minutely/i.test(reason)) return untilNext(60_000);
  if (/hourly/i.test(reason)) return untilNext(3_600_000);
  if (/daily/i.test(reason)) return untilNext(86_400_000);
  return 5_000;
}

/** Returns milliseconds since 1970 or NaN. The `asctime` format has no `GMT`, so `GMT` is always appended. */
function instantOfHttpDate(text: string): number {
  return /^[A-Z][a-z]{2,8}[, ]/.test(text) ? Date.parse(`${text.replace(/ GMT$/, '')} GMT`) : Number.NaN;
}

/** Returns `max-age` minus `Age`, in ms. `Expires` and `Date` are ignored: upstreams send wrong values. */
function maxAgeOf(headers: Headers): number | undefined {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(headers.get('cache-control') ?? '') ?? [];
  const age = headers.get('age') ?? '0';
  if (seconds === undefined || !/^\d{1,9}$/.test(age)) return undefined;
  return Math.max(0, Number(seconds) - Number(age)) * 1000;
}

function problemFacts(problem: unknown): { [name: string]: string } {
  const type = lineIn(problem, 'type')?.split('/').at(-1);
  const id = lineIn(problem, 'correlationId');
  return { ...(type !== undefined && { type }), ...(id !== undefined && { correlationId: id }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const reasons: { readonly [code: string]: string } = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the DNS lookup failed',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no network',
  ETIMEDOUT: 'connecting timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connecting timed out',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the reply does not have the length that it announced',
};

/** Maximum number of characters of a network error's message, part of which the server may have written. */
const maxReasonLength = 200;

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  const { code } = (inner ?? {}) as { code?: unknown };
  if (typeof code === 'string')
    return reasons[code] ?? `${oneLine(messageOf(inner), maxReasonLength)} (${code})`;
  return oneLine(messageOf(inner ?? error), maxReasonLength);
}
