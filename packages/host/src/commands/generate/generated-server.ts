import type { CommandInput } from '../../command-line/command.ts';
import type { GeneratedServer } from '../../generate/heading.ts';

/** A server with the tools that `mcp tools` lists. */
export async function generatedServer(
  server: string,
  { servers, signal }: Pick<CommandInput, 'servers' | 'signal'>,
): Promise<GeneratedServer> {
  const tools = await servers.tools(server, { signal });
  return servers.use(server, ({ serverInfo }) => Promise.resolve({ server, serverInfo, tools }));
}
