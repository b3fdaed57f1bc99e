import { ClientError } from '@mcp/protocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import { exitCodes, HostError, type Phase } from '../errors.ts';

/** Codes of JSON-RPC for what was named wrongly: an unknown method, tool, resource or argument. */
const notFoundCodes = [-32601, -32602, -32002];

/** The error of a client as one that names the server as its configuration does, and says what to do. */
export function hostErrorOf(error: unknown, { name, target }: ServerDefinition): unknown {
  if (!(error instanceof ClientError)) return error;
  const timedOut = error.cause instanceof Error && error.cause.name === 'TimeoutError';
  const { phase } = error;
  return new HostError(`${name}: ${reasonOf(error)}`, {
    server: name,
    phase,
    exitCode: timedOut ? exitCodes.timeout : exitCodeOf(phase, error.code),
    hint: hintOf(phase, name, target.kind === 'stdio' ? target.command : target.url),
    cause: error,
  });
}

/** The message without the server's command line, which the name replaces. */
function reasonOf({ message, server }: ClientError): string {
  return message.startsWith(`${server}: `) ? message.slice(server.length + 2) : message;
}

function exitCodeOf(phase: Phase, code: number | undefined): number {
  if (phase === 'authorization') return exitCodes.authorization;
  if (phase === 'call' && code !== undefined)
    return notFoundCodes.includes(code) ? exitCodes.tool : exitCodes.unreachable;
  return exitCodes.unreachable;
}

function hintOf(phase: Phase, name: string, address: string): string | undefined {
  if (phase === 'authorization') return `mcp login ${name}`;
  if (phase === 'spawn') return `check the command "${address}": mcp config explain ${name}`;
  if (phase === 'handshake') return `check that "${address}" is an MCP server: mcp config explain ${name}`;
  return undefined;
}
