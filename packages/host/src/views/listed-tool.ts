import { closestNames } from '@mcp/kit';
import type { CommandInput } from '../command-line/command.ts';
import type { Target } from '../command-line/target.ts';
import { exitCodes, HostError } from '../errors.ts';
import type { ListedTool } from '../servers/servers.ts';
import { printedCommand } from '../printed-command.ts';

/**
 * A tool as its server lists it. Rejects with a `HostError` that names similar tools if the
 * server has no such tool.
 */
export async function listedTool(
  { server, name }: Target,
  { servers, signal }: Pick<CommandInput, 'servers' | 'signal'>,
): Promise<ListedTool> {
  const listed = await servers.tools(server, { signal });
  const tool = listed.find((each) => each.name === name);
  if (tool) return tool;
  await assertNotWithheld({ server, name }, servers);
  const close = closestNames(
    name,
    listed.map((each) => each.name),
  );
  const meant = close.length === 0 ? '' : `; did you mean ${close.map((each) => `"${each}"`).join(' or ')}?`;
  throw new HostError(`The server "${server}" has no tool "${name}"${meant}`, {
    server,
    phase: 'call',
    exitCode: exitCodes.tool,
    hint: printedCommand('tools', server),
  });
}

/** A tool that has changed since it was accepted is not listed, but it is there. */
async function assertNotWithheld({ server, name }: Target, servers: CommandInput['servers']): Promise<void> {
  const { changes } = await servers.reviewTools(server);
  const change = changes.find((each) => each.name === name && each.kind !== 'removed');
  if (!change) return;
  const happened = change.kind === 'added' ? 'is new' : 'has changed';
  throw new HostError(
    `The tool "${name}" of "${server}" ${happened} since its tools were accepted, and is withheld`,
    {
      server,
      phase: 'consent',
      exitCode: exitCodes.refused,
      hint: `${printedCommand('trust', server)} shows the change`,
    },
  );
}
