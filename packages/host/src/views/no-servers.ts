import type { CommandInput } from '../command-line/command.ts';
import { exitCodes, HostError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';

export function noServers(): string {
  const example = printedCommand('tools', '--', 'npx', '-y', '@mcp/server-filesystem', '.');
  return `No servers are configured. Name one: ${example}`;
}

/**
 * Says that a command has nothing to do where no server is configured. Throws a `HostError` where a file that
 * cannot be read is why: an empty list is not the answer.
 */
export function noteWithoutServers({
  servers,
  configuration,
  output,
}: Pick<CommandInput, 'servers' | 'configuration' | 'output'>): void {
  if (servers.names.length > 0) return;
  if (configuration.problems.length === 0) return output.warning(noServers());
  throw new HostError('There are no servers: the configuration cannot be read', {
    phase: 'configuration',
    exitCode: exitCodes.usage,
    hint: 'Correct the file, or name another one with --config',
  });
}
