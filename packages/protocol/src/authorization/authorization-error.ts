/** The part of an authorization that failed. */
export type AuthorizationStep = 'discovery' | 'registration' | 'login' | 'token' | 'request';

export interface AuthorizationErrorOptions extends ErrorOptions {
  /** The OAuth error code that the authorization server returned, such as `invalid_grant`. */
  readonly code?: string | undefined;
}

/** An authorization that failed. Neither its message nor its cause contains a secret. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError';
  /** The phase that an error of the client names. */
  readonly phase = 'authorization';
  readonly step: AuthorizationStep;
  readonly code: string | undefined;

  constructor(
    step: AuthorizationStep,
    message: string,
    { code, ...options }: AuthorizationErrorOptions = {},
  ) {
    super(message, options);
    this.step = step;
    this.code = code;
  }
}

/** The same failure, with the server that the authorization was for in its message. */
export function forServer(server: string, error: unknown): AuthorizationError {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `Authorization for "${server}" failed: ${reason}`;
  if (!(error instanceof AuthorizationError))
    return new AuthorizationError('login', message, { cause: error });
  return new AuthorizationError(error.step, message, { code: error.code, cause: error.cause });
}
