/** The place where a value is defined: a file and a line, counted from 1. */
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
  /** Environment variables in addition to the few that every server gets. */
  readonly env: Readonly<Record<string, string>>;
  /** The working directory, an absolute path; defaults to that of this process. */
  readonly cwd?: string | undefined;
}

/** A server to call over HTTP. */
export interface HttpTarget {
  readonly kind: 'http';
  readonly url: string;
  /** The headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * `streamable` or `sse` if the configuration says so; otherwise `auto`: tries Streamable HTTP, then
   * HTTP+SSE.
   */
  readonly transport: 'auto' | 'streamable' | 'sse';
  readonly oauth?: OAuthSettings | undefined;
}

/** The settings of a login: a client that is registered already, and the scopes to request. */
export interface OAuthSettings {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** The port of the redirect to this machine; defaults to any free port. */
  readonly callbackPort?: number | undefined;
  readonly authorizationServerMetadataUrl?: string | undefined;
}

/** The filter for tools: an empty `allow` allows all, `deny` has precedence, `*` is any characters. */
export interface ToolFilter {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** The origin of an entry: a file of the user, a file of a checked-out project, or the command line. */
export type Scope = 'user' | 'project' | 'command-line';

/** One server in the normal form of all configuration formats, with its variables expanded. */
export interface ServerEntry {
  readonly name: string;
  readonly target: StdioTarget | HttpTarget;
  readonly scope: Scope;
  readonly origin: Origin | undefined;
  /** The directory of the project whose file has the entry; undefined for other entries. */
  readonly project?: string | undefined;
  readonly enabled: boolean;
  readonly tools: ToolFilter;
  /** Milliseconds that the server may take to start and to answer the handshake. */
  readonly startTimeoutMs: number;
  /** Milliseconds that a call may take without progress. */
  readonly callTimeoutMs: number;
  /**
   * The variables that were expanded, in the order of the file. Their values may be secrets: mask them for
   * display.
   */
  readonly variables: readonly ExpandedVariable[];
  /** Sentences about differences between `mcp` and the host to which the configuration file belongs. */
  readonly notes: readonly string[];
}

/** A variable in a configuration, and where its value came from. */
export interface ExpandedVariable {
  /** The variable as it is written in the file: `${env:TOKEN}`. */
  readonly text: string;
  /** The path of the key whose value contains the variable: `env.TOKEN`. */
  readonly key: string;
  readonly source: 'environment' | 'default' | 'input' | 'file' | 'built-in';
  readonly value: string;
}
