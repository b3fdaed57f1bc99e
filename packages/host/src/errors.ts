/** The step in which a server failed. */
export type Phase = 'configuration' | 'consent' | 'spawn' | 'handshake' | 'authorization' | 'call';

/** The exit codes of `mcp`. Inspector's have the same meaning; its 2 stays free. */
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
  /** Consent was not given, or a pinned tool has changed. */
  refused: 7,
  /** `mcp doctor` has warnings, and no faults. */
  warnings: 8,
  /** `mcp doctor` has found faults. */
  faults: 9,
  interrupted: 130,
} as const;

/** Where an error happened, and what to do about it. */
export interface HostErrorOptions extends ErrorOptions {
  /** The name of the server that the error is about. */
  readonly server?: string | undefined;
  /** The step that failed. */
  readonly phase: Phase;
  /** The exit code of a command that ends with the error: one of `exitCodes`. */
  readonly exitCode: number;
  /** What to do about it, as a sentence without a full stop. */
  readonly hint?: string | undefined;
}

/** An error that a person or a script acts on: which server, in which phase, and what to do. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly server: string | undefined;
  readonly phase: Phase;
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(message: string, { server, phase, exitCode, hint, ...options }: HostErrorOptions) {
    super(message, options);
    this.server = server;
    this.phase = phase;
    this.exitCode = exitCode;
    this.hint = hint;
  }
}
