/** What kind of thing went wrong, for programs. */
export type FailureKind =
  | 'invalid_argument'
  | 'place_not_found'
  | 'ambiguous_place'
  | 'not_supported'
  | 'no_data'
  | 'rate_limited'
  | 'unreachable'
  | 'timed_out'
  | 'invalid_reply'
  | 'refused'
  | 'upstream_error'
  | 'saved_places';

/** Facts beside the message, such as `retryAfterMs` or `candidates`. */
export type FailureFacts = { readonly [name: string]: unknown };

/** A failure that says what could not be done, in words for the model and as a kind for programs. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  readonly facts: FailureFacts;

  constructor(kind: FailureKind, message: string, facts: FailureFacts = {}, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.facts = facts;
  }

  /** The kind and the facts as one object. */
  get structured(): { [name: string]: unknown } {
    return { error: this.kind, message: this.message, ...this.facts };
  }
}

/** A failure of an upstream that may be gone at the next try, so that an older answer is better than none. */
export function isPassing(error: unknown): error is Failure {
  return (
    error instanceof Failure &&
    (error.kind === 'rate_limited' ||
      error.kind === 'unreachable' ||
      error.kind === 'timed_out' ||
      error.kind === 'invalid_reply' ||
      error.kind === 'upstream_error')
  );
}

/** A name or text from outside as it may stand in a sentence: one line, no control or reordering characters. */
export function quoted(text: string, most = 80): string {
  const clean = plainLine(text);
  return `"${clean.length > most ? `${clean.slice(0, most)}…` : clean}"`;
}

/** Text from outside without line breaks, terminal escapes and characters that reorder what follows. */
export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .trim();
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
