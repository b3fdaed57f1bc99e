import { exitCodes } from '../errors.ts';
import { forgetTokens } from '../login/authorize.ts';
import { serverNamed } from '../servers/configured-servers.ts';
import type { Command } from '../command-line/command.ts';
import { noLogin, serverFirst } from '../command-line/target.ts';

export const logout: Command = {
  name: 'logout',
  usage: '<server>',
  help: 'deletes the tokens of a server',
  words: ['server', 'any'],
  async run({ positionals, servers, configuration, store, output }) {
    const { server: name } = serverFirst(positionals, servers.names, 'logout', '<server>');
    const server = serverNamed(name, configuration.servers);
    const entry = await server.resolve();
    const { target } = entry;
    if (target.kind !== 'http') throw noLogin(name);
    servers.forgetLists(entry);
    const were = await forgetTokens(store, target.url);
    output.note(were ? `Deleted the tokens of ${name}` : `There are no tokens of ${name}`);
    return exitCodes.ok;
  },
};
