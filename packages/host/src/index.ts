// Opens and uses the servers that the configuration files on this machine describe.
export { openServers, type OpenServersOptions } from './open-servers.ts';
export type {
  ConfigurationChanges,
  ListOptions,
  OpenOptions,
  Servers,
  ServersOptions,
} from './servers/servers.ts';
export type { Connection, OpenServer } from './servers/connection.ts';
export type { LeaseOptions } from './servers/connection-pool.ts';
export type { Listed, ListName } from './servers/lists.ts';
export { followConfiguration, type FollowOptions } from './servers/follow-configuration.ts';
export { exitCodes, HostError, type HostErrorOptions, type FailurePhase } from './errors.ts';

// Reads the configuration files on this machine; starts no server.
export {
  loadConfiguration,
  type Configuration,
  type ConfigurationProblem,
  type ConfiguredServer,
  type LoadOptions,
} from './config/load-configuration.ts';
export type * from './config/entry/server-entry.ts';

// The directories in which the command `mcp` keeps its state, and the types of what a user is shown before
// consenting to a server or accepting its tools.
export { stateDirectories, type StateDirectories } from './state-directories.ts';
export type { ReadHere } from './trust/read-here.ts';
export type { ToolChange } from './trust/tool-changes.ts';
