import { exitCodes, usageError } from '../errors.ts';
import { forgetTokens } from '../login/authorize.ts';
import { unknownServer } from '../servers/configured-servers.ts';
import type { Command } from '../command-line/command.ts';
import { noLogin, serverFirst } from '../command-line/target.ts';

export const logout: Command = {
  name: 'logout',
  usage: '<server>',
  help: 'deletes the tokens of a server',
  words: ['server', 'any'],
  async run({ positionals, servers, configuration, store, output }) {
    const { server: name } = serverFirst(positionals, servers.names);
    if (name === undefined) throw usageError('Name a server: mcp logout <server>');
    const { servers: configured } = configuration;
    const server = configured.find((each) => each.name === name);
    if (!server)
      throw unknownServer(
        name,
        configured.map((each) => each.name),
      );
    const entry = await server.resolve();
    const { target } = entry;
    if (target.kind !== 'http') throw noLogin(name);
    servers.forgetLists(entry);
    const were = await forgetTokens(store, target.url);
    output.note(were ? `Deleted the tokens of ${name}` : `There are no tokens of ${name}`);
    return exitCodes.ok;
  },
};
