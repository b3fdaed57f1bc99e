import type { Client } from '@mcp/protocol/client';

/** A server as users install it: a tarball, alone in a directory. */
export interface PackedServer {
  /** The name of its folder in `servers/`, and of its package behind `@mcp/server-`. */
  readonly name: string;
  /** The packages that it installs; without any, it is installed offline. */
  readonly dependencies?: readonly string[];
  /** The supported versions of Node, when not all are supported. */
  readonly nodes?: readonly string[];
  /** A version of Node that is too old, and the error message there. */
  readonly refuses?: { readonly version: string; readonly saying: string };
  /** Prepares a directory and returns the arguments. */
  prepare(directory: string): Promise<readonly string[]>;
  /** Reads, writes where the server can write, and waits for a notification of a change. */
  use(client: Client, directory: string): Promise<void>;
}
