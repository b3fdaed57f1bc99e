import { ClientError, type Phase } from '@mcp/protocol/client';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { maskSecretsOf } from '../config/entry/mask-secrets.ts';
import { exitCodes, HostError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';

/** The JSON-RPC code of the error for a request that needs a capability which the client does not have. */
const missingClientCapability = -32021;

/** A `ClientError` as a `HostError` with the configured name and a hint; other errors unchanged. */
export function hostErrorOf(error: unknown, entry: ServerEntry): unknown {
  if (!(error instanceof ClientError)) return error;
  const { name, target } = entry;
  const timedOut = error.cause instanceof Error && error.cause.name === 'TimeoutError';
  const { phase } = error;
  const hint =
    capabilityHint(error) ?? hintOf(phase, name, target.kind === 'stdio' ? target.command : target.url);
  return new HostError(`${name}: ${maskSecretsOf(entry, reasonOf(error))}`, {
    server: name,
    phase,
    exitCode: timedOut ? exitCodes.timeout : exitCodeOf(phase, error.code),
    hint: hint === undefined ? undefined : maskSecretsOf(entry, hint),
    cause: error,
  });
}

/** The message of an error without the server's command line, in place of which the name is shown. */
function reasonOf({ message, server }: ClientError): string {
  return message.startsWith(`${server}: `) ? message.slice(server.length + 2) : message;
}

function exitCodeOf(phase: Phase, code: number | undefined): number {
  if (phase === 'authorization') return exitCodes.authorization;
  // An error response to a call shows that the server was reached.
  return phase === 'call' && code !== undefined ? exitCodes.tool : exitCodes.unreachable;
}

function hintOf(phase: Phase, name: string, address: string): string | undefined {
  if (phase === 'authorization') return printedCommand('login', name);
  const explain = printedCommand('config', 'explain', name);
  if (phase === 'spawn') return commandHint(address) ?? `check the command "${address}": ${explain}`;
  if (phase === 'handshake') return `check that "${address}" is an MCP server: ${explain}`;
  return undefined;
}

/** How to correct a command that only a shell would have expanded or split into words. */
function commandHint(command: string): string | undefined {
  if (command.startsWith('~')) return 'write the whole path: "~" is not expanded';
  return /\s/.test(command) && !/[\\/]/.test(command)
    ? `write the arguments of "${command}" into "args"`
    : undefined;
}

function capabilityHint({ code, message }: ClientError): string | undefined {
  if (code !== missingClientCapability) return undefined;
  if (message.includes('"sampling"')) return "--sampling '<command>' answers what a server asks of a model";
  if (message.includes('"elicitation"'))
    return 'run the command in a terminal to answer the questions of the server';
  return undefined;
}
