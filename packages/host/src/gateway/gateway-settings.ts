import type { Servers } from '../servers/servers.ts';
import type { TaskIds } from './task-ids.ts';

export interface GatewayOptions {
  readonly servers: Servers;
  readonly version: string;
  /** Whether public names begin with that of the server. Default: true; false takes exactly one server. */
  readonly prefixed?: boolean;
  /** Whether three tools, which list, describe and call tools, replace all others. Default: false. */
  readonly lazy?: boolean;
  /** Whether a changed configuration may add servers or change them. Default: false. */
  readonly reconfigurable?: boolean;
  /** Milliseconds that the answer to a list waits for servers that are starting. Default: 3,000. */
  readonly listWaitMs?: number;
  /** Called with warnings, which are not sent to clients. */
  readonly warn: (message: string) => void;
}

/** The settings that all clients of a gateway have in common. */
export interface GatewaySettings extends Required<GatewayOptions> {
  readonly taskIds: TaskIds;
}
