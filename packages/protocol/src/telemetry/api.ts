import type * as api from '@opentelemetry/api';

/** The part of `@opentelemetry/api` that this package uses. */
export type Api = Pick<
  typeof api,
  'context' | 'diag' | 'metrics' | 'propagation' | 'ROOT_CONTEXT' | 'SpanKind' | 'SpanStatusCode' | 'trace'
>;
