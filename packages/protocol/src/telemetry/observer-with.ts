import { stackOf } from '@mcp/kit';
import type { Context, Span } from '@opentelemetry/api';
import type { Observation, ObservedRequest, Observer, Outcome, SentObservation } from '../define/observer.ts';
import { invalidParams, methodNotFound } from '../jsonrpc/error.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { Api } from './api.ts';
import { describe, type Described } from './attributes.ts';
import { Durations } from './durations.ts';
import { type Failure, failureOf } from './failure.ts';
import { parentOf } from './parent.ts';
import { scope } from './scope.ts';

/**
 * An observer that writes spans and metrics with this copy of `@opentelemetry/api`. An error of an SDK, such
 * as of a processor of spans, is a message of `diag` and fails no request.
 */
export function observerWith(api: Api): Observer {
  const { received, sent, apart } = writer(api);
  return {
    received: (request) => guarded(api, () => received(request)) ?? idle,
    sent: (request) => guarded(api, () => sent(request)) ?? idle,
    apart,
  };
}

/** Observes nothing. */
const idle: SentObservation = { run: (work) => work(), ended: () => {}, meta: undefined };

/** Returns the result of `work`, or undefined if it throws. */
function guarded<T>({ diag }: Api, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    diag.error(stackOf(error));
    return undefined;
  }
}

function writer(api: Api): { readonly [Name in keyof Observer]: Observer[Name] } {
  const durations = { client: new Durations(api, 'client'), server: new Durations(api, 'server') };
  return {
    received(request) {
      const described = describe(request);
      const { context, links } = parentOf(api, request);
      const span = startSpan(api, described, { kind: api.SpanKind.SERVER, links }, context);
      return observation(api, { request, described, span, durations: durations.server }, context);
    },
    sent(request) {
      const described = describe(request);
      const context = api.context.active();
      const span = startSpan(api, described, { kind: api.SpanKind.CLIENT }, context);
      const observed = observation(api, { request, described, span, durations: durations.client }, context);
      return { ...observed, meta: traceFields(api, api.trace.setSpan(context, span)) };
    },
    apart: (work) => api.context.with(api.ROOT_CONTEXT, work),
  };
}

function startSpan(
  { trace }: Api,
  { spanName, common, target, own }: Described,
  options: Pick<Parameters<ReturnType<Api['trace']['getTracer']>['startSpan']>[1] & object, 'kind' | 'links'>,
  context: Context,
): Span {
  const attributes = { ...common, ...target, ...own };
  return trace.getTracer(scope).startSpan(spanName, { ...options, attributes }, context);
}

/** The fields of `_meta` that carry the trace of a context; undefined if the propagator writes none. */
function traceFields({ propagation }: Api, context: Context): JsonObject | undefined {
  const fields: { [key: string]: string } = {};
  propagation.inject(context, fields);
  return Object.keys(fields).length > 0 ? fields : undefined;
}

interface Begun {
  readonly request: ObservedRequest;
  readonly described: Described;
  readonly span: Span;
  readonly durations: Durations;
}

function observation(api: Api, begun: Begun, parent: Context): Observation {
  const context = api.trace.setSpan(parent, begun.span);
  const start = performance.now();
  return {
    run: (work) => api.context.with(context, work),
    ended: (outcome) => {
      const seconds = (performance.now() - start) / 1_000;
      guarded(api, () => end(api, begun, outcome, { seconds, context }));
    },
  };
}

function end(
  { SpanStatusCode }: Api,
  { request, described, span, durations }: Begun,
  outcome: Outcome,
  { seconds, context }: { readonly seconds: number; readonly context: Context },
): void {
  const { method, route } = request;
  const { common, target } = described;
  const failure = failureOf(method, outcome);
  const late = { ...agreedRevision(method, outcome), ...(failure && failureAttributes(failure)) };
  // The id of a session is known at the end of `initialize`.
  if (route?.sessionId !== undefined) span.setAttribute('mcp.session.id', route.sessionId);
  span.setAttributes(late);
  if (failure) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  durations.record(seconds, { ...common, ...target, ...late, ...hidden(failure, target) }, context);
}

/** The revision in which a client and a server agree by `initialize`. */
function agreedRevision(method: string, outcome: Outcome) {
  const version = outcome.kind === 'result' && method === 'initialize' && outcome.result['protocolVersion'];
  return typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version)
    ? { 'mcp.protocol.version': version }
    : {};
}

function failureAttributes({ type, code }: Failure) {
  return { 'error.type': type, ...(code !== undefined && { 'rpc.response.status_code': String(code) }) };
}

/**
 * Replaces names in a metric that no server knows, such as the name of an unknown tool: a peer could invent
 * any number of them, and each would be a time series of its own.
 */
function hidden(failure: Failure | undefined, target: Described['target']) {
  if (failure?.code === methodNotFound) return { 'mcp.method.name': '_OTHER' };
  if (failure?.code !== invalidParams) return {};
  return Object.fromEntries(Object.keys(target).map((name) => [name, '_OTHER']));
}
