import { exitCodes } from '../errors.ts';
import { table } from '../terminal/table.ts';
import type { Command } from '../command-line/command.ts';
import { noteWithoutServers } from '../listing/no-servers.ts';
import { eachServer } from '../listing/each-server.ts';

export const ping: Command = {
  name: 'ping',
  usage: '[server…]',
  help: 'whether servers start and answer: revision, name and milliseconds',
  words: ['server'],
  async run(input) {
    const { positionals, servers, output, signal } = input;
    noteWithoutServers(input);
    const results = await eachServer(positionals, servers, async (name) => {
      const started = performance.now();
      return servers.use(name, async (client) => {
        // 2026-07-28 has no ping; any request shows as much.
        await client.request('tools/list', {}, { signal });
        const { protocolVersion, serverInfo } = client;
        return { protocolVersion, serverInfo, ms: Math.round(performance.now() - started) };
      });
    });
    if (output.json) {
      output.value(
        Object.fromEntries(
          results.map(({ server, value, error }) => [server, value ?? { error: error?.message }]),
        ),
      );
    } else {
      const rows = results.map(({ server, value, error }) =>
        value
          ? [
              server,
              value.protocolVersion,
              `${value.ms} ms  ${value.serverInfo?.name ?? ''} ${value.serverInfo?.version ?? ''}`,
            ]
          : [server, 'failed', error.message],
      );
      for (const line of table(rows, output.width)) output.text(line);
    }
    return results.some(({ error }) => error) ? exitCodes.unreachable : exitCodes.ok;
  },
};
