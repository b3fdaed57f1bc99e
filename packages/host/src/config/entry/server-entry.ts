/** Where a value is defined: a file, and a line in it from 1. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** A program to start, with pipes for messages. */
export interface StdioTarget {
  readonly kind: 'stdio';
  /** A name on the PATH, or a path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the short list of variables that every server gets. */
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path; the directory of the command by default. */
  readonly cwd?: string | undefined;
}

/** A server to call over HTTP. */
export interface HttpTarget {
  readonly kind: 'http';
  readonly url: string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** `streamable` and `sse` are named in the file; `auto` tries Streamable HTTP, then HTTP+SSE. */
  readonly transport: 'auto' | 'streamable' | 'sse';
  readonly oauth?: OAuthSettings | undefined;
}

/** A client that is registered already, and what to ask for. */
export interface OAuthSettings {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** The port of the loopback redirect; any free one by default. */
  readonly callbackPort?: number | undefined;
  readonly authorizationServerMetadataUrl?: string | undefined;
}

/** Which tools are shown: an empty `allow` means all; `deny` wins. Entries may have `*`. */
export interface ToolFilter {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Who wrote the file that names a server: the user, or a project that was checked out. */
export type Scope = 'user' | 'project' | 'command-line';

/** One server in the normal form of all configuration formats, with its variables expanded. */
export interface ServerEntry {
  readonly name: string;
  readonly target: StdioTarget | HttpTarget;
  readonly scope: Scope;
  readonly origin: Origin | undefined;
  readonly enabled: boolean;
  readonly tools: ToolFilter;
  /** How long the server may take to start and to answer the handshake. */
  readonly startTimeoutMs: number;
  /** How long a call may take without progress. */
  readonly callTimeoutMs: number;
  /** The variables that were expanded, in the order of the file. Values of secrets are never shown. */
  readonly variables: readonly ExpandedVariable[];
  /** Where the host of this format would behave differently, in sentences. */
  readonly notes: readonly string[];
}

/** A variable in a configuration, and where its value came from. */
export interface ExpandedVariable {
  /** As written: `${env:TOKEN}`. */
  readonly text: string;
  /** The path of keys that has it: `env.TOKEN`. */
  readonly key: string;
  readonly source: 'environment' | 'default' | 'input' | 'file' | 'built-in';
  readonly value: string;
}
