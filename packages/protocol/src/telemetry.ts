import {
  context,
  diag,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Observer } from './define/observer.ts';
import { observerWith } from './telemetry/observer-with.ts';

export type { Observation, ObservedRequest, Observer, Outcome, SentObservation } from './define/observer.ts';

/**
 * Writes a span and a duration for each request, for the option `observe` of a server or client, by the
 * conventions of OpenTelemetry for MCP. Needs the package `@opentelemetry/api`; without an SDK that is
 * registered there, nothing is written. The trace is taken from the `_meta` of a request or from the headers
 * of HTTP, and sent in `_meta`. Neither spans nor metrics have values of arguments or results, or messages of
 * errors.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { openTelemetry } from '@mcp/protocol/telemetry';
 *
 * export const server = defineServer({ name: 'example', version: '1.0.0', observe: openTelemetry() });
 * ```
 */
export function openTelemetry(): Observer {
  return observerWith({ context, diag, metrics, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace });
}
