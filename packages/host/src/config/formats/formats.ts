/** How a format spells variables in its values. */
export type VariableSyntax =
  /** `${VAR}` and `${VAR:-default}` */
  | 'shell'
  /** `${VAR}` and `${VAR:-default}`, or `$env:VAR` as a whole value */
  | 'mcporter'
  /** `${env:VAR}`, `${input:id}` and the built-in `${workspaceFolder}`, `${userHome}`, `${pathSeparator}` */
  | 'vscode'
  /** `$VAR`, `${VAR}` and `%VAR%` */
  | 'gemini'
  /** `{env:VAR}` and `{file:path}` */
  | 'opencode'
  | 'none';

/** The properties in which the configurations of hosts differ. */
export interface Format {
  readonly name: string;
  /** The display name, such as `Claude Desktop`. */
  readonly title: string;
  readonly language: 'json' | 'toml';
  /** The keys that may contain the servers; the first one that a file has is used. */
  readonly containers: readonly string[];
  readonly variables: VariableSyntax;
  /** Whether the file may declare inputs, which `${input:id}` names and the host asks for. */
  readonly hasInputs: boolean;
  /** Whether a variable that is not set is an error, or empty text. */
  readonly unset: 'error' | 'empty';
  readonly timeoutUnit: 'seconds' | 'milliseconds';
  /** Whether `timeout` limits a call, or the start of the server. */
  readonly timeoutOf: 'call' | 'start';
  /** The directory that a relative `cwd` is resolved against. */
  readonly cwdBelow: 'project' | 'file';
  /** How the host treats a `url` whose transport is not named. */
  readonly untypedUrl: 'auto' | 'sse' | 'error';
  /**
   * Keys for filters of tools, besides those of all formats: the lists under `allowKeys` name the only tools
   * to show, those under `denyKeys` the tools to hide.
   */
  readonly allowKeys: readonly string[];
  readonly denyKeys: readonly string[];
}

const common = {
  language: 'json',
  containers: ['mcpServers'],
  variables: 'shell',
  hasInputs: false,
  unset: 'error',
  timeoutUnit: 'milliseconds',
  timeoutOf: 'call',
  cwdBelow: 'project',
  untypedUrl: 'auto',
  allowKeys: [],
  denyKeys: [],
} as const;

export const formats = {
  /** The file of `mcp` itself, which no other program reads. */
  mcp: {
    ...common,
    name: 'mcp',
    title: 'mcp',
    allowKeys: ['allowedTools'],
    denyKeys: ['blockedTools'],
  },
  'claude-desktop': { ...common, name: 'claude-desktop', title: 'Claude Desktop', variables: 'none' },
  'claude-code': { ...common, name: 'claude-code', title: 'Claude Code' },
  vscode: {
    ...common,
    name: 'vscode',
    title: 'VS Code',
    containers: ['servers', 'mcpServers'],
    variables: 'vscode',
    hasInputs: true,
    unset: 'empty',
  },
  cursor: { ...common, name: 'cursor', title: 'Cursor', variables: 'vscode', unset: 'empty' },
  codex: {
    ...common,
    name: 'codex',
    title: 'Codex',
    language: 'toml',
    containers: ['mcp_servers'],
    variables: 'none',
    timeoutUnit: 'seconds',
    allowKeys: ['enabled_tools'],
    denyKeys: ['disabled_tools'],
  },
  gemini: {
    ...common,
    name: 'gemini',
    title: 'Gemini CLI',
    variables: 'gemini',
    unset: 'empty',
    untypedUrl: 'sse',
    allowKeys: ['includeTools'],
    denyKeys: ['excludeTools'],
  },
  cline: {
    ...common,
    name: 'cline',
    title: 'Cline',
    variables: 'none',
    timeoutUnit: 'seconds',
    untypedUrl: 'sse',
  },
  roo: {
    ...common,
    name: 'roo',
    title: 'Roo Code',
    variables: 'vscode',
    timeoutUnit: 'seconds',
    untypedUrl: 'error',
    denyKeys: ['disabledTools'],
  },
  windsurf: {
    ...common,
    name: 'windsurf',
    title: 'Windsurf',
    variables: 'vscode',
    unset: 'empty',
    denyKeys: ['disabledTools'],
  },
  zed: { ...common, name: 'zed', title: 'Zed', containers: ['context_servers'], variables: 'none' },
  opencode: {
    ...common,
    name: 'opencode',
    title: 'opencode',
    containers: ['mcp'],
    variables: 'opencode',
    unset: 'empty',
    timeoutOf: 'start',
  },
  copilot: { ...common, name: 'copilot', title: 'Copilot CLI', allowKeys: ['tools'] },
  kiro: { ...common, name: 'kiro', title: 'Kiro', denyKeys: ['disabledTools'] },
  mcporter: {
    ...common,
    name: 'mcporter',
    title: 'mcporter',
    variables: 'mcporter',
    cwdBelow: 'file',
    allowKeys: ['allowed_tools'],
    denyKeys: ['blocked_tools'],
  },
  /**
   * The format of a file whose name belongs to no known host. Its servers and filters may be under the keys
   * of any host.
   */
  any: {
    ...common,
    name: 'any',
    title: 'this file',
    cwdBelow: 'file',
    allowKeys: ['includeTools', 'enabled_tools', 'tools'],
    denyKeys: ['excludeTools', 'disabled_tools', 'disabledTools'],
    containers: ['mcpServers', 'servers', 'context_servers', 'mcp_servers', 'mcp'],
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;
