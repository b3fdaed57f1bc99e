// The servers of the configurations on this machine.
export { openServers, type OpenServersOptions } from './open-servers.ts';
export type { ConfigurationChanges, ListOptions, OpenServer, Servers } from './servers/servers.ts';
export type { Listed, ListKind } from './servers/lists.ts';
export { followConfiguration, type FollowOptions } from './servers/follow-configuration.ts';
export { exitCodes, HostError, type HostErrorOptions, type Phase } from './errors.ts';

// Their configurations.
export {
  loadConfiguration,
  type Configuration,
  type ConfigurationProblem,
  type ConfiguredServer,
  type LoadOptions,
} from './config/load.ts';
export type * from './config/server-entry.ts';

// The state of the command, and the questions of trust.
export { stateDirectories, type StateDirectories } from './state-directories.ts';
export type { ReadHere } from './trust/read-here.ts';
export type { ToolChange } from './trust/tool-changes.ts';
