import { exitCodes } from '../errors.ts';
import { table } from '../terminal/table.ts';
import type { Command } from '../command-line/command.ts';
import { eachServer } from './each-server.ts';

export const prompts: Command = {
  name: 'prompts',
  usage: '[server…]',
  help: 'the prompts of all servers, or of those that are named',
  async run({ positionals, servers, output, signal }) {
    const results = await eachServer(positionals, servers, (name) =>
      servers.use(name, async (client) =>
        client.capabilities['prompts'] ? client.listPrompts({ signal }) : [],
      ),
    );
    if (output.json) {
      output.value(
        Object.fromEntries(
          results.map(({ server, value, error }) => [
            server,
            value ? { prompts: value } : { error: error?.message },
          ]),
        ),
      );
    }
    for (const { server, value, error } of output.json ? [] : results) {
      output.text(output.styled('bold', server));
      if (error) output.foreign(`  ${error.message}`);
      const rows = (value ?? []).map(({ name, title, description, arguments: args = [] }) => [
        [name, ...args.map((each) => (each.required ? each.name : `[${each.name}]`))].join(' '),
        description ?? title ?? '',
      ]);
      for (const line of table(rows, output.width - 2)) output.text(`  ${line}`);
    }
    return results.some(({ error }) => error) ? exitCodes.unreachable : exitCodes.ok;
  },
};
