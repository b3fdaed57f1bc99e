import type { CommandInput } from '../command-line/command.ts';
import { exitCodes } from '../errors.ts';
import { table } from '../terminal/table.ts';

/** Prints the declarations of a server: its name, revision, capabilities and instructions. */
export async function describeServer(server: string, { servers, output }: CommandInput): Promise<number> {
  return servers.use(server, ({ serverInfo, revision, capabilities, instructions }) => {
    if (output.json) {
      output.value({ serverInfo, revision, capabilities, instructions });
      return Promise.resolve(exitCodes.ok);
    }
    const rows = [
      ['server', [serverInfo?.title ?? serverInfo?.name, serverInfo?.version].filter(Boolean).join(' ')],
      ['revision', revision],
      ['capabilities', Object.keys(capabilities).toSorted().join(', ')],
    ];
    output.text(output.styled('bold', server));
    for (const line of table(rows, output.width - 2)) output.text(`  ${line}`);
    if (instructions !== undefined) output.foreign(`\n${instructions}`);
    return Promise.resolve(exitCodes.ok);
  });
}
