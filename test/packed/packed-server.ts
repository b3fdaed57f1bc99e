import type { Client } from '@mcp/protocol/client';

/** A server as its users get it: a tarball, installed alone. */
export interface PackedServer {
  /** Its folder below `servers/`, and what follows `mcp-server-` and `@mcp/server-`. */
  readonly name: string;
  /** What it installs besides itself; with nothing, it is installed without a network. */
  readonly dependencies?: readonly string[];
  /** The versions of Node that it promises to run on, where those are not all. */
  readonly nodes?: readonly string[];
  /** A version of Node that is too old for it, and how it says so. */
  readonly refuses?: { readonly version: string; readonly saying: string };
  /** Fills a directory for it, and gives its arguments. */
  prepare(directory: string): Promise<readonly string[]>;
  /** Does what users do: reads, writes where it writes, and hears of a change. */
  use(client: Client, directory: string): Promise<void>;
}
