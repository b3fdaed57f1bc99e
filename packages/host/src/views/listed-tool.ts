import { didYouMean } from '../did-you-mean.ts';
import type { CommandInput } from '../command-line/command.ts';
import type { Target } from '../command-line/target.ts';
import { callError, HostError } from '../errors.ts';
import type { ListedTool } from '@mcp/protocol/client';
import { printedCommand } from '../printed-command.ts';

/**
 * Returns a tool as its server lists it. For an unknown tool, rejects with a `HostError` that names similar
 * tools.
 */
export async function listedTool(
  { server, name }: Target,
  { servers, signal, output }: Pick<CommandInput, 'servers' | 'signal' | 'output'>,
): Promise<ListedTool> {
  const listed = await servers.tools(server, { signal });
  const tool = listed.find((each) => each.name === name);
  if (tool) return tool;
  await assertNotWithheld({ server, name }, { servers, output });
  const names = listed.map((each) => each.name);
  const message = `The server "${server}" has no tool "${name}"${didYouMean(name, names)}`;
  throw callError(server, message, printedCommand('tools', server));
}

/** Throws if the server has the tool, but hides it because it has changed since the user accepted it. */
async function assertNotWithheld(
  { server, name }: Target,
  { servers, output }: Pick<CommandInput, 'servers' | 'output'>,
): Promise<void> {
  const { changes } = await servers.reviewTools(server);
  const change = changes.find((each) => each.name === name && each.kind !== 'removed');
  if (!change) return;
  const happened = change.kind === 'added' ? 'is new' : 'has changed';
  const message = `The tool "${name}" of "${server}" ${happened} since its tools were accepted, and is withheld`;
  const hint = `${printedCommand('trust', server)} shows the changes, and with --yes accepts them`;
  // A person has just read the hint, below the warning that names all tools that are withheld.
  throw new HostError(message, { server, phase: 'consent', hint: output.json ? hint : undefined });
}
