import { type Configuration, loadConfiguration, type LoadOptions } from './config/load-configuration.ts';
import { hostState } from './servers/host-state.ts';
import { Servers, type ServersOptions } from './servers/servers.ts';
import type { StateDirectories } from './state-directories.ts';

/**
 * Options of `openServers`. By default, it uses the configuration files of the user and of the current
 * directory.
 */
export interface OpenServersOptions extends Partial<ServersOptions> {
  /** Which configuration files to read; defaults to the well-known files of the hosts on this machine. */
  readonly load?: LoadOptions;
  /** A configuration that is used in place of `load`, because it was read already. */
  readonly configuration?: Pick<Configuration, 'servers'>;
  /** Where consents, tokens and caches are kept; defaults to the directories of the command `mcp`. */
  readonly directories?: StateDirectories;
}

/**
 * Opens the servers of the configuration files on this machine, with the consents, tokens and caches of the
 * command `mcp`. A server is started when it is first used. The user is asked nothing in the terminal: a call
 * to a server that needs a login or consent rejects.
 * @example
 * ```ts
 * import { openServers } from '@mcp/host';
 *
 * await using servers = await openServers({ load: { files: ['mcp.json'] } });
 * const { content } = await servers.use('files', (client) =>
 *   client.callTool('read_text_file', { path: 'a.txt', head: 1 }),
 * );
 * console.log(content); // [ { type: 'text', text: 'one' } ]
 * ```
 */
export async function openServers(options: OpenServersOptions = {}): Promise<Servers> {
  const { onWarning = (message) => process.emitWarning(message), load, clientOptions } = options;
  const { servers } = options.configuration ?? (await loadConfiguration(load));
  return new Servers(servers, hostState(onWarning, options.directories), {
    ...options,
    onWarning,
    clientOptions: (entry) => ({ name: '@mcp/host', onWarning, ...clientOptions?.(entry) }),
  });
}
