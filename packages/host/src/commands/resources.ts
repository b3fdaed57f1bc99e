import { exitCodes } from '../errors.ts';
import { table } from '../terminal/table.ts';
import type { Command } from '../command-line/command.ts';
import { eachServer } from './each-server.ts';

export const resources: Command = {
  name: 'resources',
  usage: '[server…]',
  help: 'the resources and resource templates of all servers, or of those that are named',
  async run({ positionals, servers, output, signal }) {
    const results = await eachServer(positionals, servers, (name) =>
      servers.use(name, async (client) => ({
        resources: client.capabilities['resources'] ? await client.listResources({ signal }) : [],
        resourceTemplates: client.capabilities['resources']
          ? await client.listResourceTemplates({ signal })
          : [],
      })),
    );
    if (output.json) {
      output.value(
        Object.fromEntries(
          results.map(({ server, value, error }) => [server, value ?? { error: error?.message }]),
        ),
      );
    }
    for (const { server, value, error } of output.json ? [] : results) {
      output.text(output.styled('bold', server));
      if (error) output.foreign(`  ${error.message}`);
      const rows = [
        ...(value?.resourceTemplates ?? []).map(({ uriTemplate, name, description }) => [
          uriTemplate,
          description ?? name,
        ]),
        ...(value?.resources ?? []).map(({ uri, name, description }) => [uri, description ?? name]),
      ];
      for (const line of table(rows, output.width - 2)) output.text(`  ${line}`);
    }
    return results.some(({ error }) => error) ? exitCodes.unreachable : exitCodes.ok;
  },
};
