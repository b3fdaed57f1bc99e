import type { CommandInput } from '../../command-line/command.ts';
import type { GeneratedServer } from '../../generate/heading.ts';
import type { Made } from './made-file.ts';

/** Returns the code for the tools that `mcp tools` lists. */
export async function makeCode(
  { what, servers: names, zod }: Made,
  { servers, signal }: Pick<CommandInput, 'servers' | 'signal'>,
): Promise<string> {
  const generated = await Promise.all(names.map((each) => generatedServer(each, { servers, signal })));
  if (what === 'types') return (await import('../../generate/types-module.ts')).typesModule(generated);
  const [server] = generated as [GeneratedServer];
  if (what === 'client')
    return (await import('../../generate/client-module.ts')).clientModule(server, { zod });
  const { cliModule } = await import('../../generate/cli-module.ts');
  return cliModule(server, await servers.resolve(server.server));
}

/** A server with the tools that `mcp tools` lists. */
export async function generatedServer(
  server: string,
  { servers, signal }: Pick<CommandInput, 'servers' | 'signal'>,
): Promise<GeneratedServer> {
  const tools = await servers.tools(server, { signal });
  return servers.use(server, ({ serverInfo }) => Promise.resolve({ server, serverInfo, tools }));
}
