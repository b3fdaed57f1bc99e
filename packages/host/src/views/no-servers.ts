import type { CommandInput } from '../command-line/command.ts';
import { fileError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';

export function noServers(): string {
  const example = printedCommand('tools', '--', 'npx', '-y', '@mcp/server-filesystem', '.');
  return `No servers are configured. Name one: ${example}`;
}

/** Warns if no server is configured; throws a `HostError` if the reason is a file that cannot be read. */
export function noteWithoutServers({
  servers,
  configuration,
  output,
}: Pick<CommandInput, 'servers' | 'configuration' | 'output'>): void {
  if (servers.names.length > 0) return;
  if (configuration.problems.length === 0) return output.warning(noServers());
  throw fileError('There are no servers: the configuration cannot be read');
}
