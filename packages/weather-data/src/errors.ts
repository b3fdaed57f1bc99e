/** The kind of a failure, for programs. */
export type WeatherErrorKind =
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
export type WeatherErrorFacts = { readonly [name: string]: unknown };

/** An expected failure: a message for the model, a kind and facts for programs. */
export class WeatherError extends Error {
  override readonly name = 'WeatherError';
  readonly kind: WeatherErrorKind;
  readonly facts: WeatherErrorFacts;

  constructor(
    kind: WeatherErrorKind,
    message: string,
    facts: WeatherErrorFacts = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.kind = kind;
    this.facts = facts;
  }

  /** The kind and the facts as one object. */
  get structured(): { [name: string]: unknown } {
    return { error: this.kind, message: this.message, ...this.facts };
  }
}

/**
 * Returns the error of an argument that is refused. The message says what is wrong with it and what is
 * expected.
 */
export function invalidArgument(argument: string, message: string): WeatherError {
  return new WeatherError('invalid_argument', message, { argument });
}

/** Whether an upstream may succeed at the next attempt, so that an older answer is better than none. */
export function isTransient(error: unknown): error is WeatherError {
  return (
    error instanceof WeatherError &&
    (error.kind === 'rate_limited' ||
      error.kind === 'unreachable' ||
      error.kind === 'timed_out' ||
      error.kind === 'invalid_reply' ||
      error.kind === 'upstream_error')
  );
}

/**
 * Returns untrusted text in quotes, on one line, without control characters, with at most `maxLength`
 * characters.
 */
export function quoted(text: string, maxLength = 80): string {
  const clean = plainLine(text, maxLength + 1);
  const limited = clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean;
  return `"${limited.replaceAll('"', String.raw`\"`)}"`;
}

/**
 * Returns untrusted text on one line, without terminal escapes and bidirectional controls. Longer text is cut
 * off after `maxLength` characters.
 */
export function plainLine(text: string, maxLength = 1_000): string {
  return text
    .slice(0, 2 * maxLength)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
