import type { Phase } from '@mcp/protocol/client';

/** The step in which a server failed. */
export type FailurePhase = 'configuration' | 'consent' | Phase;

/**
 * The exit codes of `mcp`. Codes up to 5 mean the same as in the MCP Inspector, whose code 2 is not used
 * here.
 */
export const exitCodes = {
  ok: 0,
  /** Wrong arguments, or a fault of `mcp` itself. */
  usage: 1,
  /** The server requires a login. */
  authorization: 3,
  /** The server cannot be started or reached, or it ended. */
  unreachable: 4,
  /** The tool failed, or there is no such tool, resource or prompt. */
  tool: 5,
  timeout: 6,
  /** Consent was not given, or a tool has changed since the user accepted it. */
  refused: 7,
  /** `mcp doctor` or `mcp config check` has warnings, and no faults. */
  warnings: 8,
  /** `mcp doctor`, `mcp config check`, `mcp skills` or `mcp test` has found faults. */
  faults: 9,
  interrupted: 130,
} as const;

const exitCodeOf: Readonly<Record<FailurePhase, number>> = {
  configuration: exitCodes.usage,
  consent: exitCodes.refused,
  spawn: exitCodes.unreachable,
  handshake: exitCodes.unreachable,
  authorization: exitCodes.authorization,
  call: exitCodes.unreachable,
};

/** The details of an error: where it happened, and what to do about it. */
export interface HostErrorOptions extends ErrorOptions {
  /** The name of the server that the error is about. */
  readonly server?: string | undefined;
  readonly phase: FailurePhase;
  /** The exit code (of `exitCodes`) of a command that fails with this error; by default that of `phase`. */
  readonly exitCode?: number;
  /** What to do about the error, as a sentence without a full stop. */
  readonly hint?: string | undefined;
}

/**
 * An error that a person or a script acts on: which server, in which phase, and what to do.
 * @example
 * ```ts
 * import { exitCodes, HostError, openServers } from '@mcp/host';
 *
 * await using servers = await openServers({ load: { files: ['mcp.json'] } });
 * const error = await servers.tools('fils').catch((reason: unknown) => reason);
 * if (!(error instanceof HostError)) throw error;
 * console.log(error.phase, error.exitCode === exitCodes.usage); // configuration true
 * ```
 */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly server: string | undefined;
  readonly phase: FailurePhase;
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(
    message: string,
    { server, phase, exitCode = exitCodeOf[phase], hint, ...options }: HostErrorOptions,
  ) {
    super(message, options);
    this.server = server;
    this.phase = phase;
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** The error for a command line or a configuration that cannot be understood. */
export function usageError(message: string, hint?: string, cause?: unknown): HostError {
  return new HostError(message, { phase: 'configuration', hint, ...(cause !== undefined && { cause }) });
}

/** The error for a request that the server does not support. */
export function callError(server: string, message: string, hint: string): HostError {
  return new HostError(message, { server, phase: 'call', exitCode: exitCodes.tool, hint });
}

/** The error for a configuration file that cannot be understood. */
export function fileError(message: string): HostError {
  return usageError(message, 'Correct the file, or name another one with --config');
}
