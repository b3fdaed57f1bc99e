import type { Servers } from '../servers/servers.ts';
import type { ConnectionPool } from './links/connection-pool.ts';
import type { TaskIds } from './task-ids.ts';

/** What all clients of a gateway have in common. */
export interface GatewayParts {
  readonly servers: Servers;
  readonly pool: ConnectionPool;
  readonly taskIds: TaskIds;
  readonly info: { readonly name: string; readonly version: string };
  /** The names of the servers, in the order of the configuration, which may change. */
  names: readonly string[];
  /** Whether names begin with that of their server. */
  readonly prefixed: boolean;
  /** Whether three tools replace all others. */
  readonly lazy: boolean;
  /** Whether servers may be added or changed. */
  readonly grows: boolean;
  /** Milliseconds that a list waits for a server that starts. */
  readonly listWaitMs: number;
  readonly warn: (message: string) => void;
}
