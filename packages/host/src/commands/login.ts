import { exitCodes, HostError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';
import type { Command } from '../command-line/command.ts';
import { hasAuthorization } from '../servers/connectors.ts';
import { savedTokens } from '../login/authorize.ts';
import { noLogin, serverFirst } from '../command-line/target.ts';

export const login: Command = {
  name: 'login',
  aliases: ['auth'],
  usage: '<server>',
  help: 'logs in at a server over HTTP, in the browser; later commands use and refresh the tokens',
  words: ['server', 'any'],
  options: [{ name: 'no-browser', help: 'prints the address of the login instead of opening it' }],
  async run({ positionals, servers, store, output }) {
    const { server } = serverFirst(positionals, servers.names, 'login', '<server>');
    const { target } = await servers.resolve(server);
    if (target.kind !== 'http') throw noLogin(server);
    await servers
      .use(server, (client) => client.request('tools/list', {}))
      .catch(hasAuthorization(target) ? undefined : otherAdvice);
    const tokens = await savedTokens(store, target.url);
    output.note(tokens ? `Logged in at ${server}` : `${server} answers without a login`);
    return exitCodes.ok;
  },
};

/** Throws the error of a failed login with another hint: the usual hint of such an error is to log in. */
function otherAdvice(error: unknown): never {
  if (!(error instanceof HostError) || error.phase !== 'authorization') throw error;
  const { message, server = '', phase, exitCode, cause } = error;
  const hint = `${printedCommand('doctor', server)} shows each step of the login`;
  throw new HostError(message, { server, phase, exitCode, hint, cause });
}
