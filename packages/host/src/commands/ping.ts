import { errorCodes } from '@mcp/protocol';
import { ClientError } from '@mcp/protocol/client';
import { table, textWidth } from '../terminal/table.ts';
import type { Command } from '../command-line/command.ts';
import { noteWithoutServers } from '../views/no-servers.ts';
import { inOrder } from '../views/in-order.ts';
import { eachServer, exitCodeOf, type ServerResult } from '../views/each-server.ts';

export const ping: Command = {
  name: 'ping',
  usage: '[server…]',
  help: 'whether servers start and answer: revision, name and milliseconds',
  words: ['server'],
  async run(input) {
    const { positionals, servers, output, signal } = input;
    noteWithoutServers(input);
    const names = positionals.length > 0 ? positionals : servers.names;
    const widths = [Math.max(...names.map(textWidth)), dateWidth];
    const answer = async (name: string): Promise<Answer> => {
      const started = performance.now();
      return servers.use(name, async (client) => {
        // Revision 2026-07-28 has no ping, but any other request also shows that the server answers.
        await client.request('tools/list', {}, { signal }).catch((error: unknown) => {
          // Nor need a server have tools, and its refusal is an answer.
          if (!(error instanceof ClientError && error.code === errorCodes.methodNotFound)) throw error;
        });
        const { revision, serverInfo } = client;
        return { revision, serverInfo, ms: Math.round(performance.now() - started) };
      });
    };
    using rows = inOrder<ServerResult<Answer>>(names, (result) => {
      if (output.json) return;
      for (const line of table([rowOf(result)], output.width, widths)) output.text(line);
    });
    const results = await eachServer(positionals, servers, answer, (result) => rows.add(result));
    if (output.json) {
      output.value(
        Object.fromEntries(
          results.map(({ server, value, error }) => [server, value ?? { error: error?.message }]),
        ),
      );
    }
    return exitCodeOf(results);
  },
};

interface Answer {
  readonly revision: string;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  readonly ms: number;
}

/** The length of a revision, which is a date such as `2026-07-28`. */
const dateWidth = 10;

function rowOf({ server, value, error }: ServerResult<Answer>): string[] {
  if (error) return [server, 'failed', error.message];
  const { revision, serverInfo, ms } = value;
  return [server, revision, `${ms} ms  ${serverInfo?.name ?? ''} ${serverInfo?.version ?? ''}`];
}
