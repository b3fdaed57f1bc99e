import type { Clock } from '../clock.ts';
import { Failure, messageOf, plainLine, quoted } from '../errors.ts';
import { textIn } from '../json-fields.ts';
import { readBody } from './read-body.ts';
import type { Lane } from './host-limiter.ts';

/** Bounds of one question to an upstream. */
export interface HttpLimits {
  /** Milliseconds for one try, from connecting to the last byte. */
  readonly tryMs: number;
  /** Milliseconds for all tries and the waits between them. */
  readonly totalMs: number;
  readonly tries: number;
  /** Bytes of a body, after decompression. */
  readonly bodyBytes: number;
  readonly redirects: number;
}

const usualLimits: HttpLimits = {
  tryMs: 5_000,
  totalMs: 15_000,
  tries: 3,
  bodyBytes: 5 * 1024 * 1024,
  redirects: 2,
};

export interface HttpOptions {
  readonly userAgent: string;
  readonly limits?: Partial<HttpLimits> | undefined;
  readonly clock: Clock;
}

/** One question: where it goes, and how upstreams there want to be asked. */
export interface Question {
  readonly url: URL;
  readonly lane: Lane;
  readonly accept?: string;
  /** How many requests it counts for with the upstream. */
  readonly weight?: number;
  /** Nobody waits for it. */
  readonly background?: boolean;
}

/** A reply that is JSON. */
export interface Reply {
  readonly text: string;
  readonly json: unknown;
  /** Milliseconds for which the upstream says it stays the same. */
  readonly maxAgeMs: number | undefined;
  readonly receivedAt: number;
}

const retried = new Set([408, 429, 500, 502, 503, 504]);

/** Asks upstreams for JSON over HTTP, kindly: GET only, bounded in time and size, with patient and few retries. */
export class HttpClient {
  readonly #userAgent: string;
  readonly #limits: HttpLimits;
  readonly #clock: Clock;

  constructor({ userAgent, limits, clock }: HttpOptions) {
    this.#userAgent = userAgent;
    this.#limits = { ...usualLimits, ...limits };
    this.#clock = clock;
  }

  async getJson(question: Question, signal: AbortSignal): Promise<Reply> {
    const { lane } = question;
    const done = await lane.turns.take(signal);
    try {
      return await this.#untilAnswered(question, signal);
    } finally {
      done();
    }
  }

  async #untilAnswered(question: Question, signal: AbortSignal): Promise<Reply> {
    const { tries, totalMs } = this.#limits;
    const end = this.#clock.now() + totalMs;
    for (let number = 1; ; number++) {
      await this.#allowed(question, end, signal);
      const outcome = await this.#try(question, end, signal);
      if (!(outcome instanceof Unanswered)) return outcome;
      const { failure, again, waitMs } = outcome;
      const wait = waitMs ?? Math.random() * 250 * 2 ** (number - 1);
      if (failure.kind === 'rate_limited' && waitMs !== undefined) {
        question.lane.block(this.#clock.now() + waitMs, String(failure.facts['reason']));
      }
      if (!again || this.#clock.now() + wait >= end) throw failure;
      if (number === tries) throw counted(failure, number);
      await this.#clock.pause(wait, signal);
    }
  }

  /** Waits until the upstream may be asked; fails where that is later than anybody waits. */
  async #allowed(
    { url, lane, weight = 1, background = false }: Question,
    end: number,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      const blocked = lane.blockedUntil - now;
      const wait = blocked > 0 ? blocked : (lane.quota?.take(weight, now, background ? 0.5 : 1) ?? 0);
      if (wait <= 0) return;
      if (now + wait >= end) {
        throw rateLimited(url, wait, blocked > 0 ? lane.blockedWhy : 'all that it allows is used up');
      }
      await this.#clock.pause(wait, signal);
    }
  }

  async #try(question: Question, end: number, signal: AbortSignal): Promise<Reply | Unanswered> {
    const { tryMs } = this.#limits;
    const timeout = AbortSignal.timeout(Math.max(1, Math.min(tryMs, end - this.#clock.now())));
    try {
      return await this.#ask(question, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) return new Unanswered(error, false);
      const failure = timeout.aborted
        ? new Failure(
            'timed_out',
            `${question.url.host} did not answer within ${tryMs / 1000} seconds. ${offline}`,
          )
        : new Failure(
            'unreachable',
            `Cannot reach ${question.url.host}: ${reasonOf(error)}. ${offline}`,
            {},
            { cause: error },
          );
      return new Unanswered(failure, true);
    }
  }

  async #ask(
    { url, accept = 'application/json' }: Question,
    signal: AbortSignal,
  ): Promise<Reply | Unanswered> {
    let at = url;
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(at, {
        redirect: 'manual',
        signal,
        headers: { accept, 'user-agent': this.#userAgent },
      });
      const { status, headers } = response;
      const location = status >= 301 && status <= 308 && status !== 304 ? headers.get('location') : null;
      if (location === null) return this.#read(url, response);
      await response.body?.cancel();
      at = redirected(at, location, redirects < this.#limits.redirects);
    }
  }

  async #read(url: URL, response: Response): Promise<Reply | Unanswered> {
    const { status, headers } = response;
    const type = headers.get('content-type') ?? '';
    const isJsonType = /^[^;]*json/i.test(type);
    if (status !== 200) {
      const body = await readBody(response, 64 * 1024).catch(() => '');
      return this.#refused(url, response, isJsonType ? parsed(body) : undefined);
    }
    if (!isJsonType) {
      await response.body?.cancel();
      const what = type === '' ? 'something without a type' : plainLine(type).slice(0, 60);
      throw new Failure(
        'invalid_reply',
        `${url.host} answered with ${what} instead of JSON. A proxy or a login page may be in the way`,
      );
    }
    const text = await readBody(response, this.#limits.bodyBytes);
    const json = parsed(text);
    if (json === undefined) {
      const streaming = /Unexpected error while streaming data: ([^\n]{0,200})/.exec(text);
      throw new Failure(
        'invalid_reply',
        streaming
          ? `${url.host} failed in the middle of its answer: ${plainLine(streaming[1]!)}`
          : `${url.host} answered with something that is not JSON`,
      );
    }
    return { text, json, maxAgeMs: maxAgeOf(headers), receivedAt: this.#clock.now() };
  }

  #refused(url: URL, { status, headers }: Response, problem: unknown): Unanswered {
    const reason = textIn(problem, 'reason') ?? textIn(problem, 'detail') ?? textIn(problem, 'title');
    const facts = {
      status,
      ...problemFacts(problem),
      ...(reason !== undefined && { reason: plainLine(reason).slice(0, 500) }),
    };
    const said = reason === undefined ? `status ${status}` : quoted(reason, 300);
    if (status === 429) {
      const waitMs = waitOf(headers, reason, this.#clock.now());
      const failure = rateLimited(url, waitMs, reason);
      return new Unanswered(failure, !/hourly|daily/i.test(reason ?? ''), waitMs);
    }
    if (retried.has(status)) {
      const failure = new Failure(
        'upstream_error',
        `${url.host} cannot answer at the moment: ${said}`,
        facts,
      );
      return new Unanswered(
        failure,
        true,
        headers.has('retry-after') ? waitOf(headers, reason, this.#clock.now()) : undefined,
      );
    }
    const kind = status === 304 ? 'invalid_reply' : status < 500 ? 'refused' : 'upstream_error';
    return new Unanswered(new Failure(kind, `${url.host} refused the request: ${said}`, facts), false);
  }
}

/** A try that gave nothing, and whether and when another may. */
class Unanswered {
  readonly failure: Failure;
  readonly again: boolean;
  readonly waitMs: number | undefined;

  constructor(failure: Failure, again: boolean, waitMs?: number) {
    this.failure = failure;
    this.again = again;
    this.waitMs = waitMs;
  }
}

const offline = 'Without a network, use --provider dataset or --demo';

function rateLimited(url: URL, waitMs: number, reason = 'too many requests'): Failure {
  const seconds = Math.ceil(waitMs / 1000);
  return new Failure(
    'rate_limited',
    `${url.host} takes no more requests for now: ${quoted(reason, 200)}. Try again in ${seconds} second${seconds === 1 ? '' : 's'}`,
    { retryAfterMs: Math.ceil(waitMs), reason },
  );
}

function counted(failure: Failure, tries: number): Failure {
  return new Failure(failure.kind, `${failure.message} (${tries} tries)`, failure.facts, { cause: failure });
}

/** Where a redirect leads, as long as that is the same host in the same way. */
function redirected(from: URL, location: string, allowed: boolean): URL {
  if (!URL.canParse(location, from.href)) {
    throw new Failure('invalid_reply', `${from.host} redirects to what is no address: ${quoted(location)}`);
  }
  const to = new URL(location, from);
  if (to.protocol !== from.protocol || to.host !== from.host) {
    throw new Failure(
      'invalid_reply',
      `${from.host} redirects to another host, ${quoted(`${to.protocol}//${to.host}`)}: refused. A login page may be in the way`,
    );
  }
  if (!allowed) throw new Failure('invalid_reply', `${from.host} redirects again and again`);
  return to;
}

/** Milliseconds to wait after a 429: what the upstream says, or what its words mean. */
function waitOf(headers: Headers, reason: string | undefined, now: number): number {
  const given = headers.get('retry-after');
  if (given !== null && /^\d{1,9}$/.test(given)) return Number(given) * 1000;
  const date = given === null ? Number.NaN : Date.parse(given);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  const untilNext = (span: number) => span - (now % span);
  if (reason === undefined) return 5_000;
  if (/concurrent/i.test(reason)) return 1_000;
  if (/minutely/i.test(reason)) return untilNext(60_000);
  if (/hourly/i.test(reason)) return untilNext(3_600_000);
  if (/daily/i.test(reason)) return untilNext(86_400_000);
  return 5_000;
}

/** `max-age` less the time that caches on the way have held the reply; dates in headers were seen to be wrong. */
function maxAgeOf(headers: Headers): number | undefined {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(headers.get('cache-control') ?? '') ?? [];
  const age = headers.get('age') ?? '0';
  if (seconds === undefined || !/^\d{1,9}$/.test(age)) return undefined;
  return Math.max(0, Number(seconds) - Number(age)) * 1000;
}

function problemFacts(problem: unknown): { [name: string]: string } {
  const type = textIn(problem, 'type')?.split('/').at(-1);
  const id = textIn(problem, 'correlationId');
  return { ...(type !== undefined && { type }), ...(id !== undefined && { correlationId: id }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const codes: { readonly [code: string]: string } = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its name cannot be looked up',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'no way to the host',
  ENETUNREACH: 'no network',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the reply is not as long as it says',
};

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  const { code } = (inner ?? {}) as { code?: unknown };
  if (typeof code === 'string') return codes[code] ?? `${messageOf(inner)} (${code})`;
  return inner === undefined ? messageOf(error) : messageOf(inner);
}
