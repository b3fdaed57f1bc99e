import { exitCodes, usageError } from '../errors.ts';
import { extendedByProgress } from '../servers/extended-by-progress.ts';
import type { Command } from '../command-line/command.ts';
import { showResource } from '../views/show-result.ts';
import { serverFirst } from '../command-line/target.ts';

export const read: Command = {
  name: 'read',
  usage: '<server> <uri>',
  help: 'reads a resource',
  words: ['server', 'resource'],
  options: [{ name: 'save', value: 'directory', help: 'writes images, sounds and files there' }],
  async run(input) {
    const { positionals, servers, signal } = input;
    const {
      server,
      rest: [uri],
    } = serverFirst(positionals, servers.names);
    if (server === undefined || uri === undefined)
      throw usageError('Name a server and a URI: mcp read <server> <uri>');
    const result = await servers.use(server, (client) =>
      client.readResource(uri, { signal, ...extendedByProgress }),
    );
    await showResource(result, input);
    return exitCodes.ok;
  },
};
