import { exitCodes } from '../errors.ts';
import type { Output } from '../terminal/output.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import type { PinnedTool, ToolChange } from '../trust/tool-changes.ts';
import type { Command } from '../command-line/command.ts';
import { serverFirst } from '../command-line/target.ts';
import { printedCommand } from '../printed-command.ts';

export const trust: Command = {
  name: 'trust',
  usage: '<server>',
  help: 'shows how the tools of a server have changed since they were accepted; --yes accepts them, and generates again what has their types',
  words: ['server', 'any'],
  async run(input) {
    const { positionals, servers, options, output } = input;
    const { server } = serverFirst(positionals, servers.names, 'trust', '<server>');
    const { changes, accept } = await servers.reviewTools(server);
    if (output.json) output.value({ server, changes });
    else if (changes.length === 0) output.foreign(`The tools of ${server} are as they were accepted.`);
    for (const change of output.json ? [] : changes) printDifference(change, output);
    if (changes.length === 0) return exitCodes.ok;
    if (options['yes'] !== true) {
      output.note(`${printedCommand('trust', server, '--yes')} accepts these tools`);
      return exitCodes.refused;
    }
    accept();
    await (await import('./generate/write-code.ts')).writeAgain(server, input);
    return exitCodes.ok;
  },
};

function printDifference(change: ToolChange, output: Output): void {
  const title = `${change.kind} ${change.name}${change.kind === 'renamed' ? ` (was ${change.from})` : ''}`;
  const before = 'before' in change ? linesOf(change.before) : [];
  const now = 'now' in change ? linesOf(change.now) : [];
  output.foreign(sanitizeLine(title));
  for (const line of before) if (!now.includes(line)) output.text(output.styled('red', `  - ${line}`));
  for (const line of now) if (!before.includes(line)) output.text(output.styled('green', `  + ${line}`));
}

/** The properties of a tool that are stored when the user accepts the tool, one on each line. */
function linesOf(tool: PinnedTool): string[] {
  return Object.entries(tool)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) =>
      sanitizeLine(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    );
}
