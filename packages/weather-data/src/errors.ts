import { quoted as quotedText } from '@mcp/kit';

/** The kind of a failure, by which programs can distinguish failures. */
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

/** Further facts about a failure, such as `retryAfterMs` or `candidates`. */
export type WeatherErrorFacts = { readonly [name: string]: unknown };

/** An expected failure: a message for the model, and a kind and facts for programs. */
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

/** Returns the error for an invalid argument. `message` says what is wrong with it and what is expected. */
export function invalidArgument(argument: string, message: string): WeatherError {
  return new WeatherError('invalid_argument', message, { argument });
}

const transientKinds: ReadonlySet<WeatherErrorKind> = new Set([
  'rate_limited',
  'unreachable',
  'timed_out',
  'invalid_reply',
  'upstream_error',
] as const);

/** Whether the same request may succeed later. If so, an older cached answer is better than the error. */
export function isTransient(error: unknown): error is WeatherError {
  return error instanceof WeatherError && transientKinds.has(error.kind);
}

/** Untrusted text in quotes, with hidden characters escaped; beyond `maxLength` its middle is left out. */
export function quoted(text: string, maxLength = 80): string {
  return quotedText(text, maxLength);
}
