/** The error for an HTTP response that contains no message. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason === '' ? `HTTP ${status}` : `HTTP ${status}: ${reason}`);
    this.status = status;
  }
}

/** The error for a request that got no response. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly unreachable = true;

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
  }
}

/** Returns the reason of a failure, which an error of the platform's `fetch` has in its `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (error.cause instanceof AggregateError) return reasonOf(error.cause.errors[0]);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
