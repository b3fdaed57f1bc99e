import { ClientError, type Phase } from '@mcp/protocol/client';
import { commandHint } from '../config/check/command-hint.ts';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { maskSecretsOf } from '../config/entry/mask-secrets.ts';
import { exitCodes, HostError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';
import { hasAuthorization } from './connectors.ts';

/** The JSON-RPC code of the error for a request that needs a capability which the client does not have. */
const missingClientCapability = -32021;

/**
 * Converts a `ClientError` to a `HostError` with the configured name and a hint; returns others unchanged.
 */
export function hostErrorOf(error: unknown, entry: ServerEntry): unknown {
  if (!(error instanceof ClientError)) return error;
  const { name } = entry;
  const timedOut = error.cause instanceof Error && error.cause.name === 'TimeoutError';
  const { phase } = error;
  const hint = capabilityHint(error) ?? hintOf(phase, entry);
  return new HostError(`${name}: ${maskSecretsOf(entry, reasonOf(error))}`, {
    server: name,
    phase,
    ...(timedOut && { exitCode: exitCodes.timeout }),
    // An error response to a call means that the server was reached, so the exit code is `tool` and not
    // `unreachable`.
    ...(!timedOut && phase === 'call' && error.code !== undefined && { exitCode: exitCodes.tool }),
    hint: hint === undefined ? undefined : maskSecretsOf(entry, hint),
    cause: error,
  });
}

/**
 * The message of a `ClientError` without the server's command line at its beginning: the configured name is
 * shown instead.
 */
function reasonOf({ message, server }: ClientError): string {
  return message.startsWith(`${server}: `) ? message.slice(server.length + 2) : message;
}

function hintOf(phase: Phase, { name, target, scope }: ServerEntry): string | undefined {
  const explain = printedCommand('config', 'explain', name);
  if (phase === 'authorization') {
    const hasToken = target.kind === 'http' && hasAuthorization(target);
    return hasToken ? `check the "authorization" header: ${explain}` : printedCommand('login', name);
  }
  const address = target.kind === 'stdio' ? target.command : target.url;
  if (phase === 'spawn') return commandHint(address, scope) ?? `check the command "${address}": ${explain}`;
  if (phase === 'handshake') return `check that "${address}" is an MCP server: ${explain}`;
  return undefined;
}

function capabilityHint({ code, message }: ClientError): string | undefined {
  if (code !== missingClientCapability) return undefined;
  if (message.includes('"sampling"'))
    return "with --sampling '<command>', a command answers the sampling requests of servers";
  if (message.includes('"elicitation"'))
    return 'run the command in a terminal to answer the questions of the server';
  return undefined;
}
