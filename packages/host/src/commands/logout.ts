import { exitCodes } from '../errors.ts';
import { forgetTokens } from '../login/authorize.ts';
import type { Command } from '../command-line/command.ts';
import { serverFirst, usageError } from '../command-line/target.ts';

export const logout: Command = {
  name: 'logout',
  usage: '<server>',
  help: 'deletes the tokens of a server',
  words: ['server', 'any'],
  async run({ positionals, servers, configuration, store, output }) {
    const { server: name } = serverFirst(positionals, servers.names);
    const server = configuration.servers.find((each) => each.name === name);
    if (!server)
      throw usageError(
        name === undefined ? 'Name a server: mcp logout <server>' : `There is no server "${name}"`,
      );
    const definition = await server.resolve();
    const { target } = definition;
    if (target.kind !== 'http') throw usageError(`The server "${server.name}" is a command; it has no login`);
    servers.forgetLists(definition);
    const were = await forgetTokens(store, target.url);
    output.note(were ? `Deleted the tokens of ${server.name}` : `There are no tokens of ${server.name}`);
    return exitCodes.ok;
  },
};
