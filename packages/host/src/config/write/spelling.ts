import type { FormatName } from '../formats/formats.ts';

/** How a format spells what the formats do not have in common. A key that is missing cannot be written. */
export interface Spelling {
  /** The values of `type` for a command, Streamable HTTP and HTTP+SSE; undefined where there is no `type`. */
  readonly types?: { readonly stdio?: string; readonly http?: string; readonly sse?: string };
  /** The keys of addresses: of Streamable HTTP or an unknown transport, and of HTTP+SSE. */
  readonly url?: { readonly http: string; readonly sse?: string };
  readonly headers: string;
  readonly env: string;
  readonly cwd: boolean;
  /** Whether `command` is a list with the arguments. */
  readonly commandList?: boolean;
  /** The key that disables a server, and its value. */
  readonly disabled?: readonly ['disabled', true] | readonly ['enabled', false];
  readonly envFile?: boolean;
  /** The key of the time limit of a call and of the start, and their units in milliseconds. */
  readonly callTimeout?: readonly [key: string, unitMs: number];
  readonly startTimeout?: readonly [key: string, unitMs: number];
  /** The key of the settings of a login, and the keys in it. */
  readonly oauth?: readonly [key: string, keys: OAuthKeys];
}

export interface OAuthKeys {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: string;
  readonly callbackPort?: string;
  readonly authorizationServerMetadataUrl?: string;
}

const common = {
  url: { http: 'url', sse: 'url' },
  headers: 'headers',
  env: 'env',
  cwd: false,
} as const satisfies Spelling;

const typed = { stdio: 'stdio', http: 'http', sse: 'sse' };
const camelCase = { clientId: 'clientId', clientSecret: 'clientSecret', scopes: 'scopes' };

/** The spelling of each format, by the documentation of its host. */
export const spellings: Readonly<Record<FormatName, Spelling>> = {
  mcp: {
    ...common,
    types: typed,
    cwd: true,
    envFile: true,
    disabled: ['disabled', true],
    callTimeout: ['timeout', 1],
    startTimeout: ['startup_timeout_ms', 1],
    oauth: [
      'oauth',
      {
        ...camelCase,
        callbackPort: 'callbackPort',
        authorizationServerMetadataUrl: 'authServerMetadataUrl',
      },
    ],
  },
  'claude-desktop': { headers: 'headers', env: 'env', cwd: false },
  'claude-code': {
    ...common,
    types: typed,
    oauth: [
      'oauth',
      {
        clientId: 'clientId',
        scopes: 'scopes',
        callbackPort: 'callbackPort',
        authorizationServerMetadataUrl: 'authServerMetadataUrl',
      },
    ],
  },
  vscode: { ...common, types: typed, cwd: true, envFile: true },
  cursor: {
    ...common,
    envFile: true,
    oauth: ['auth', { clientId: 'CLIENT_ID', clientSecret: 'CLIENT_SECRET', scopes: 'scopes' }],
  },
  codex: {
    ...common,
    url: { http: 'url' },
    headers: 'http_headers',
    cwd: true,
    disabled: ['enabled', false],
    callTimeout: ['tool_timeout_sec', 1_000],
    startTimeout: ['startup_timeout_sec', 1_000],
    oauth: ['oauth', { clientId: 'client_id' }],
  },
  gemini: {
    ...common,
    url: { http: 'httpUrl', sse: 'url' },
    cwd: true,
    callTimeout: ['timeout', 1],
    oauth: ['oauth', camelCase],
  },
  cline: {
    ...common,
    types: { http: 'streamableHttp', sse: 'sse' },
    disabled: ['disabled', true],
    callTimeout: ['timeout', 1_000],
  },
  roo: {
    ...common,
    types: { stdio: 'stdio', http: 'streamable-http', sse: 'sse' },
    cwd: true,
    disabled: ['disabled', true],
    callTimeout: ['timeout', 1_000],
  },
  windsurf: { ...common, url: { http: 'serverUrl', sse: 'serverUrl' }, disabled: ['disabled', true] },
  zed: { ...common, disabled: ['enabled', false] },
  opencode: {
    ...common,
    types: { stdio: 'local', http: 'remote', sse: 'remote' },
    env: 'environment',
    commandList: true,
    disabled: ['enabled', false],
    startTimeout: ['timeout', 1],
    oauth: ['oauth', { clientId: 'clientId', clientSecret: 'clientSecret', scopes: 'scope' }],
  },
  copilot: { ...common, types: { stdio: 'local', http: 'http', sse: 'sse' } },
  kiro: { ...common, disabled: ['disabled', true] },
  mcporter: { ...common, cwd: true },
  any: { ...common, types: typed, cwd: true, disabled: ['disabled', true] },
};
