import { exitCodes } from '../errors.ts';
import type { Command } from '../command-line/command.ts';
import { resourceText } from '../results/result-text.ts';
import { serverFirst, usageError } from '../command-line/target.ts';

export const read: Command = {
  name: 'read',
  usage: '<server> <uri>',
  help: 'reads a resource',
  async run({ positionals, servers, output, signal }) {
    const {
      server,
      rest: [uri],
    } = serverFirst(positionals, servers.names);
    if (server === undefined || uri === undefined)
      throw usageError('Name a server and a URI: mcp read <server> <uri>');
    const result = await servers.use(server, (client) => client.readResource(uri, { signal }));
    if (output.json) output.value(result);
    else output.foreign(resourceText(result));
    return exitCodes.ok;
  },
};
