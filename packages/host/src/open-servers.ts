import type { ClientOptions } from '@mcp/protocol/client';
import type { ServerEntry } from './config/server-entry.ts';
import { type Configuration, loadConfiguration, type LoadOptions } from './config/load.ts';
import type { AskInput } from './config/variables.ts';
import { composeServers } from './servers/compose-servers.ts';
import { hostState } from './servers/host-state.ts';
import type { Servers } from './servers/servers.ts';
import type { StateDirectories } from './state-directories.ts';
import type { ReadHere } from './trust/read-here.ts';
import type { ToolChange } from './trust/tool-changes.ts';

/** Options of `openServers`; without any, the configurations of this user and directory are used. */
export interface OpenServersOptions {
  /** The source of the configuration; defaults to the well-known files of the hosts on this machine. */
  readonly load?: LoadOptions;
  /** A configuration that was read already, instead of `load`. */
  readonly configuration?: Pick<Configuration, 'servers'>;
  /** Where consents, tokens and caches are kept; defaults to the directories of the command `mcp`. */
  readonly directories?: StateDirectories;
  /** Options of each client, such as its name and the requests that a server may send to the host. */
  readonly clientOptions?: (entry: ServerEntry) => ClientOptions;
  /**
   * Whether a server of a project's file may be started, or one whose start `reads` code or settings of this
   * directory; defaults to the consents that were given before.
   */
  readonly askConsent?: (entry: ServerEntry, reads: ReadHere | undefined) => Promise<boolean>;
  /** The values of the inputs of VS Code's configurations; defaults to none. */
  readonly askInput?: AskInput;
  /** Called with each line that a server writes on stderr. */
  readonly stderr?: (server: string, line: string) => void;
  /** Called when tools have changed since they were accepted; they are withheld. */
  readonly toolsWithheld?: (server: string, changes: readonly ToolChange[]) => void;
  /** Called with problems that stop nothing; defaults to a warning of the process. */
  readonly warn?: (message: string) => void;
}

/**
 * The servers of the configurations on this machine, with the consents, tokens and caches
 * of the command `mcp`; none is started before it is used. Nothing is asked in a terminal:
 * a server that needs a login or consent rejects.
 * @example
 * ```ts
 * import { openServers } from '@mcp/host';
 *
 * await using servers = await openServers({ load: { files: ['mcp.json'] } });
 * const result = await servers.use('files', (client) =>
 *   client.callTool('read_text_file', { path: 'a.txt' }),
 * );
 * ```
 */
export async function openServers(options: OpenServersOptions = {}): Promise<Servers> {
  const { warn = (message) => process.emitWarning(message), load, clientOptions } = options;
  const { servers } = options.configuration ?? (await loadConfiguration(load));
  return composeServers(servers, hostState(warn, options.directories), {
    ...options,
    warn,
    clientOptions: (entry) => ({ name: '@mcp/host', warn, ...clientOptions?.(entry) }),
  });
}
