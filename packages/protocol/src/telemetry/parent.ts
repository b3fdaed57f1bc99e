import type { Context, Link, SpanContext, TextMapGetter } from '@opentelemetry/api';
import type { ObservedRequest } from '../define/observer.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { Api } from './api.ts';

/** The context in which a received request runs, and the other traces that its span names. */
export interface Parent {
  readonly context: Context;
  readonly links: Link[];
}

/**
 * The trace that a received request belongs to: that of its `_meta`, else that of the HTTP request, which
 * another instrumentation has made current or which is in the headers. What the propagator cannot read is
 * ignored.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 */
export function parentOf(api: Api, { params, header }: ObservedRequest): Parent {
  const around = header ? httpContext(api, header) : api.ROOT_CONTEXT;
  const context = api.propagation.extract(around, params['_meta'], metaGetter);
  const outer = spanIn(api, around);
  const isOther = outer !== undefined && spanIn(api, context)?.spanId !== outer.spanId;
  return { context, links: isOther ? [{ context: outer }] : [] };
}

function httpContext(api: Api, header: (name: string) => string | undefined): Context {
  const current = api.context.active();
  if (spanIn(api, current)) return current;
  return api.propagation.extract(current, header, headerGetter);
}

function spanIn({ trace }: Api, context: Context): SpanContext | undefined {
  return trace.getSpanContext(context);
}

/** Reads fields of `_meta`, which may be any JSON. */
const metaGetter: TextMapGetter<unknown> = {
  get(meta, key) {
    const value = isFields(meta) && Object.hasOwn(meta, key) ? meta[key] : undefined;
    return typeof value === 'string' ? value : undefined;
  },
  keys: (meta) => (isFields(meta) ? Object.keys(meta) : []),
};

function isFields(meta: unknown): meta is JsonObject {
  return typeof meta === 'object' && meta !== null;
}

/** Reads headers by their names; propagators that look for all names find none. */
const headerGetter: TextMapGetter<(name: string) => string | undefined> = {
  get: (header, key) => header(key.toLowerCase()),
  keys: () => [],
};
