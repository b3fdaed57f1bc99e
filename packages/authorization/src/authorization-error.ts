import { messageOf } from '@mcp/kit';

/** The step of an authorization that failed. */
export type AuthorizationStep = 'discovery' | 'registration' | 'login' | 'token' | 'request';

export interface AuthorizationErrorOptions extends ErrorOptions {
  /** The OAuth error code that the authorization server returned, such as `invalid_grant`. */
  readonly code?: string | undefined;
  /** Whether another attempt may succeed, because the server was unreachable or had a temporary failure. */
  readonly transient?: boolean;
}

/** The error of an authorization that failed. Neither its message nor its cause contains a secret. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError';
  /** The MCP client reads this field, and copies it into the `ClientError` that it throws. */
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

export function asAuthorizationError(error: unknown): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  return new AuthorizationError('login', messageOf(error), { cause: error });
}
