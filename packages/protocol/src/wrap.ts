export type { Wrap, WrappedCall } from './define/wrap.ts';
export { auditCalls } from './wraps/audit-calls.ts';
export { cacheResults, type CacheOptions } from './wraps/cache-results.ts';
export { limitRate, type RateLimit } from './wraps/limit-rate.ts';
export { limitTime } from './wraps/limit-time.ts';
export { type CallEntry, logCalls } from './wraps/log-calls.ts';
export { mapErrors } from './wraps/map-errors.ts';
export { redactResults } from './wraps/redact-results.ts';
