import type { Route } from '../jsonrpc/channel.ts';
import type { Id, JsonObject } from '../jsonrpc/message.ts';

/** A request, as an {@link Observer} sees it when the request begins. */
export interface ObservedRequest {
  /** The id of the request in its connection. */
  readonly id: Id;
  readonly method: string;
  /** The parameters of the request, which are not checked. */
  readonly params: JsonObject;
  /** The revision of the request, such as `2026-07-28`; undefined as long as none is agreed. */
  readonly revision: string | undefined;
  /** How the request travels; undefined within one process. */
  readonly route: Route | undefined;
  /** Returns a header of the HTTP request, by its lower-case name. Undefined if there are no headers. */
  readonly header?: ((name: string) => string | undefined) | undefined;
}

/** The end of a request. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'cancelled' };

/** The outcome in one word; `tool_error` is a result that says so. */
export function outcomeWord(outcome: Outcome): 'ok' | 'tool_error' | 'error' | 'cancelled' {
  if (outcome.kind !== 'result') return outcome.kind;
  return outcome.result['isError'] === true ? 'tool_error' : 'ok';
}

/** One request that is observed, from its beginning to its end. */
export interface Observation {
  /** Runs the work of the request, and returns what `work` returns. */
  run<T>(work: () => T): T;
  /** Called once, when the request has its result or error, or is cancelled. */
  ended(outcome: Outcome): void;
}

/** A request that this end sends. */
export interface SentObservation extends Observation {
  /** Fields for the `_meta` of the request. */
  readonly meta: JsonObject | undefined;
}

/**
 * Is called at the beginning and the end of each request of a server or client, in both directions, except
 * `subscriptions/listen`, which lasts as long as its subscription. Its functions must not throw.
 * `openTelemetry()` of `@mcp/protocol/telemetry` makes one that writes spans and metrics.
 */
export interface Observer {
  /** Called with each request that this end has received, before the request is answered. */
  received(request: ObservedRequest): Observation;
  /** Called with each request that this end sends, before the request is sent. */
  sent(request: ObservedRequest): SentObservation;
  /**
   * Runs `work` as a part of no request, and returns what `work` returns: the opening of a connection, for
   * example, which later requests use too.
   */
  apart<T>(work: () => T): T;
}

/** Whether requests with this method are observed. */
export function isObserved(method: string): boolean {
  return method !== 'subscriptions/listen';
}

/**
 * Runs `work` as the observed request, which ends when the promise of `work` settles. A rejection is a
 * cancellation if `isCancelled` returns true.
 */
export async function observeAnswer(
  observation: Observation,
  work: () => Promise<JsonObject>,
  isCancelled: () => boolean = () => false,
): Promise<JsonObject> {
  try {
    const result = await observation.run(work);
    observation.ended({ kind: 'result', result });
    return result;
  } catch (error) {
    observation.ended(isCancelled() ? { kind: 'cancelled' } : { kind: 'error', error });
    throw error;
  }
}

/** The parameters of a request with the fields that an observer adds to its `_meta`. */
export function withObserved(params: JsonObject, meta: JsonObject | undefined): JsonObject {
  return meta ? { ...params, _meta: { ...(params['_meta'] as object | undefined), ...meta } } : params;
}
