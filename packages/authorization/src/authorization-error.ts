/** The part of an authorization that failed. */
export type AuthorizationStep = 'discovery' | 'registration' | 'login' | 'token' | 'request';

export interface AuthorizationErrorOptions extends ErrorOptions {
  /** The OAuth error code that the authorization server returned, such as `invalid_grant`. */
  readonly code?: string | undefined;
  /** Whether the authorization server was out of reach or in trouble, so that the same may succeed later. */
  readonly transient?: boolean;
}

/** An authorization that failed. Neither its message nor its cause contains a secret. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError';
  /** The phase that an error of the client names. */
  readonly phase = 'authorization';
  readonly step: AuthorizationStep;
  readonly code: string | undefined;
  readonly transient: boolean;

  constructor(
    step: AuthorizationStep,
    message: string,
    { code, transient = false, ...options }: AuthorizationErrorOptions = {},
  ) {
    super(message, options);
    this.step = step;
    this.code = code;
    this.transient = transient;
  }
}

/** What failed, as an {@link AuthorizationError}. */
export function asAuthorizationError(error: unknown): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new AuthorizationError('login', reason, { cause: error });
}
