export type * from './config/definition.ts';
export {
  loadConfiguration,
  type Configuration,
  type ConfigurationProblem,
  type ConfiguredServer,
  type LoadOptions,
} from './config/load.ts';
export { exitCodes, HostError, type HostErrorOptions, type Phase } from './errors.ts';
export { openServers, type OpenServersOptions } from './open-servers.ts';
export { followConfiguration, type FollowOptions } from './servers/follow-configuration.ts';
export { ListCache } from './servers/list-cache.ts';
export type { Listed, ListKind } from './servers/lists.ts';
export {
  Servers,
  type ConfigurationChanges,
  type ListOptions,
  type OpenServer,
  type ServersOptions,
} from './servers/servers.ts';
export { TrustStore } from './trust/trust-store.ts';
export type { ReadHere } from './trust/read-here.ts';
export type { ToolChange } from './trust/tool-changes.ts';
export { stateDirectories, type StateDirectories } from './state-directories.ts';
