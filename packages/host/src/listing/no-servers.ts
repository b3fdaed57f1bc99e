import type { CommandInput } from '../command-line/command.ts';

export const noServers = 'No servers are configured. Name one: mcp tools -- npx -y @mcp/server-filesystem .';

/** Says that a command has nothing to do where no server is configured, unless a file that cannot be read is why. */
export function noteWithoutServers({
  servers,
  configuration,
  output,
}: Pick<CommandInput, 'servers' | 'configuration' | 'output'>): void {
  if (servers.names.length === 0 && configuration.problems.length === 0) output.warning(noServers);
}
