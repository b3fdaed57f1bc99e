import { HostError, exitCodes } from '../errors.ts';
import type { Output } from './output.ts';
import { jsonText } from './sanitize.ts';

/** Prints an error: for a person in words, for a program as one line of JSON. Returns the exit code. */
export function reportError(error: unknown, output: Output): number {
  const { message, server, phase, hint, exitCode } = asHostError(error);
  if (output.json) {
    output.note(jsonText({ error: { message, server, phase, hint, exitCode } }));
  } else {
    output.note(message, 'red');
    if (hint !== undefined) output.note(`  ${hint}`);
  }
  return exitCode;
}

/**
 * Returns a `HostError` as it is. Any other error is a fault of `mcp` itself, so its message contains the
 * stack.
 */
function asHostError(error: unknown): Pick<HostError, 'message' | 'server' | 'phase' | 'hint' | 'exitCode'> {
  if (error instanceof HostError) return error;
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message, server: undefined, phase: 'call', hint: undefined, exitCode: exitCodes.usage };
}
