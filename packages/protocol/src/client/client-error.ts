import { messageOf } from '@mcp/kit';
import { ConnectionClosed, RpcError } from '../jsonrpc/error.ts';

/** The phase in which a client failed. */
export type Phase = 'spawn' | 'handshake' | 'authorization' | 'call';

interface Failure {
  readonly server: string;
  readonly phase: Phase;
  /** The method of the request; undefined if the failure belongs to no request. */
  readonly method?: string | undefined;
}

/** The error of a client, with the server, the phase and, as `cause`, the reason. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  /** The command line or the URL of the server. */
  readonly server: string;
  /** The step that failed. */
  readonly phase: Phase;
  /** The method of the request that failed. */
  readonly method?: string;
  /** The code and the data of the JSON-RPC error, if the server returned one. */
  readonly code?: number;
  readonly data?: unknown;

  constructor({ server, phase, method }: Failure, cause: unknown) {
    super(`${server}: ${describe(phase, method)}: ${messageOf(cause)}`, { cause });
    this.server = server;
    this.phase = phase;
    if (method !== undefined) this.method = method;
    if (cause instanceof RpcError) {
      this.code = cause.code;
      if (cause.data !== undefined) this.data = cause.data;
    }
  }
}

/** Wraps an error with its server and phase. If the error itself names a phase, that phase is used. */
export function clientError(failure: Failure, cause: unknown): ClientError {
  if (cause instanceof ClientError) return cause;
  return new ClientError({ ...failure, phase: phaseOf(cause) ?? failure.phase }, cause);
}

function phaseOf(cause: unknown): Phase | undefined {
  if (!(cause instanceof Error)) return undefined;
  if ('phase' in cause && (cause.phase === 'authorization' || cause.phase === 'spawn')) return cause.phase;
  if (cause instanceof ConnectionClosed) return undefined;
  return 'status' in cause && (cause.status === 401 || cause.status === 403) ? 'authorization' : undefined;
}

function describe(phase: Phase, method: string | undefined): string {
  if (phase === 'spawn') return 'cannot be started';
  const what = method === undefined ? '' : ` (${method})`;
  if (phase === 'handshake') return `no handshake${what}`;
  if (phase === 'authorization') return `not authorized${what}`;
  return method ?? 'failed';
}
