import type { LogLevel, Observer } from '@mcp/protocol';
import type { LogMessage } from '@mcp/protocol/client';
import type { ContinuedCalls } from '@mcp/protocol/proxy';
import type { SharedStore } from '@mcp/protocol/state';
import type { Servers } from '../servers/servers.ts';
import type { AuditLog } from '../policy/audit-log.ts';
import type { Policies } from '../policy/caller-policy.ts';
import type { ServedTools } from '../policy/served-tools.ts';
import type { TaskIds } from './task-ids.ts';

export interface GatewayOptions {
  readonly servers: Servers;
  readonly version: string;
  /**
   * Whether public names begin with their server's name. Default: true; may be false only if there is exactly
   * one server.
   */
  readonly prefixed?: boolean;
  /**
   * Whether clients get only three tools, by which they list, describe and call the tools of the servers.
   * Default: false.
   */
  readonly lazy?: boolean;
  /** Whether a changed configuration may add servers or change them. Default: false. */
  readonly reconfigurable?: boolean;
  /** Milliseconds that a client's request for a list waits for servers that are starting. Default: 3,000. */
  readonly listWaitMs?: number;
  /** Is called at the beginning and the end of each request of the clients. */
  readonly observe?: Observer | undefined;
  /**
   * The tools that clients get; methods of extensions that the gateway does not know are then refused,
   * because they may write. Default: all.
   */
  readonly servedTools?: ServedTools | undefined;
  /** The rules for calls of tools. Default: none. */
  readonly policies?: Policies | undefined;
  /** Keeps a line for each call, read and prompt. Default: none. */
  readonly audit?: AuditLog | undefined;
  /** What other processes of this gateway have too: a store, and a key of 32 bytes. Default: none. */
  readonly shared?: { readonly store: SharedStore; readonly key: Uint8Array } | undefined;
  /** Called with warnings, which are not sent to clients. */
  readonly warn: (message: string) => void;
  /** Log messages of servers that are shown here too, whatever the clients want. Default: none. */
  readonly shownLogs?: ShownLogs | undefined;
  /** Called after each request of a client. */
  readonly onRequest?: (request: ServedRequest) => void;
}

/** Which log messages of servers are shown, and how. */
export interface ShownLogs {
  readonly level: LogLevel;
  readonly show: (server: string, message: LogMessage) => void;
}

/** A request of a client that was answered. */
export interface ServedRequest {
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource; undefined for a request without one. */
  readonly name: string | undefined;
  readonly ms: number;
  /** The message of the error; undefined if the request succeeded. */
  readonly error: string | undefined;
}

/** The settings that all clients of a gateway have in common. */
export interface GatewaySettings extends Required<
  Omit<
    GatewayOptions,
    'observe' | 'onRequest' | 'policies' | 'audit' | 'servedTools' | 'shared' | 'shownLogs'
  >
> {
  readonly servedTools: ServedTools | undefined;
  readonly policies: Policies | undefined;
  readonly audit: AuditLog | undefined;
  readonly shownLogs: ShownLogs | undefined;
  readonly onRequest: GatewayOptions['onRequest'] | undefined;
  readonly taskIds: TaskIds;
  /** The calls that requests at other processes may continue; undefined if nothing is shared. */
  readonly continued: ContinuedCalls | undefined;
}
