import { isObject } from '@mcp/kit';
import type { HttpTarget, OAuthSettings, StdioTarget, ToolFilter } from './server-entry.ts';
import {
  booleanOf,
  type Entry,
  entryOf,
  listOf,
  numberOf,
  stringOf,
  stringsOf,
  WrongValue,
} from './entry-values.ts';
import type { Format } from '../formats/formats.ts';

export const defaultStartTimeoutMs = 30_000;
export const defaultCallTimeoutMs = 60_000;

/** An entry of any format in a common form; its variables are not expanded yet. */
export interface ReadEntry {
  readonly target: StdioTarget | HttpTarget;
  readonly enabled: boolean;
  readonly tools: ToolFilter;
  readonly startTimeoutMs: number;
  readonly callTimeoutMs: number;
  /** The names of environment variables of this process that are passed to the server unchanged. */
  readonly inheritedVariables: readonly string[];
  /** A file with `NAME=value` lines that is added to the environment. */
  readonly envFile: string | undefined;
  /** For each header whose value comes from an environment variable, the name of this variable. */
  readonly headerVariables: Readonly<Record<string, string>>;
  /** Sentences about differences between `mcp` and the host to which the configuration file belongs. */
  readonly notes: readonly string[];
}

/** An entry that is right for its host, and that no other program can use. */
export class ForOneHost extends Error {
  override readonly name = 'ForOneHost';
}

/** Reads one entry; throws a `WrongValue` that names the key. */
export function readEntry(entry: Entry, format: Format): ReadEntry {
  const notes: string[] = [];
  const nested = entryOf(entry, 'transport');
  const flat = withPlainCommand(nested ? { ...nested, ...entry } : entry);
  assertReadable(flat);
  const target = isRemote(flat) ? readHttp(flat, format, notes) : readStdio(flat);
  for (const key of notApplied) if (flat[key] !== undefined) notes.push(`mcp ignores "${key}"`);
  return {
    target,
    enabled: booleanOf(flat, 'enabled') ?? !(booleanOf(flat, 'disabled') ?? false),
    tools: readFilter(flat, format),
    ...readTimeouts(flat, format),
    inheritedVariables: listOf(flat, 'env_vars') ?? [],
    envFile: stringOf(flat, 'envFile'),
    headerVariables: readHeaderVariables(flat),
    notes,
  };
}

/** Keys that change how some hosts run a server, and that `mcp` does not apply. */
const notApplied = ['headersHelper', 'authProviderType', 'sandbox', 'sandboxEnabled', 'oauth_resource'];

/** Reads an older entry of Zed, in which the command contains the arguments: `{ path, args, env }`. */
function withPlainCommand(entry: Entry): Entry {
  const { command, ...others } = entry;
  if (!isObject(command)) return entry;
  const { path, ...rest } = command;
  return { ...rest, ...others, command: path };
}

function assertReadable(entry: Entry): void {
  if (entry['source'] === 'extension' && entry['command'] === undefined)
    throw new ForOneHost('only Zed can start this server, because its command is in an extension of Zed');
  // The error does not show the value, because it is a secret.
  if (entry['bearer_token'] !== undefined)
    throw new WrongValue(
      'bearer_token',
      'left out: put the token into an environment variable, and the name of that into "bearer_token_env_var"',
    );
}

/** The keys that may contain the address of a server; the first one that an entry has is used. */
const urlKeys = ['httpUrl', 'url', 'serverUrl', 'baseUrl', 'base_url', 'server_url'];

function isRemote(entry: Entry): boolean {
  const url = stringOf(entry, ...urlKeys);
  if (url === undefined) return false;
  if (entry['command'] !== undefined) {
    throw new WrongValue('command', 'left out, because the entry has a URL', entry['command']);
  }
  return true;
}

function readStdio(entry: Entry): StdioTarget {
  const { command } = entry;
  const list = Array.isArray(command) ? listOf(entry, 'command')! : undefined;
  const program = list ? list[0] : stringOf(entry, 'command');
  if (!program) throw new WrongValue('command', 'a program to start, unless there is a "url"', command);
  return {
    kind: 'stdio',
    command: program,
    args: [...(list?.slice(1) ?? []), ...(listOf(entry, 'args') ?? [])],
    env: stringsOf(entry, 'env', 'environment') ?? {},
    cwd: stringOf(entry, 'cwd'),
  };
}

const transports: Readonly<Record<string, HttpTarget['transport']>> = {
  http: 'streamable',
  streamablehttp: 'streamable',
  remote: 'auto',
  sse: 'sse',
};

function transportOf(type: string): HttpTarget['transport'] | undefined {
  const key = type.toLowerCase().replaceAll(/[-_]/g, '');
  return Object.hasOwn(transports, key) ? transports[key] : undefined;
}

/** Whether a `type` is one of entries with a command. */
export function isCommandType(type: string): boolean {
  return /^(?:stdio|local|)$/i.test(type);
}

function readHttp(entry: Entry, format: Format, notes: string[]): HttpTarget {
  const url = stringOf(entry, ...urlKeys)!;
  const type =
    typeof entry['transport'] === 'string'
      ? stringOf(entry, 'transport')
      : stringOf(entry, 'type', 'transportType');
  const named = type === undefined ? undefined : transportOf(type);
  if (type !== undefined && !named) throw new WrongValue('type', 'stdio, http, streamable-http or sse', type);
  if (named === undefined && entry['httpUrl'] === undefined && format.untypedUrl !== 'auto') {
    notes.push(
      format.untypedUrl === 'sse'
        ? `${format.title} reads a "url" without a "type" as HTTP+SSE; mcp tries Streamable HTTP first`
        : `${format.title} refuses a "url" without a "type"; mcp tries Streamable HTTP first`,
    );
  }
  return {
    kind: 'http',
    url,
    headers: stringsOf(entry, 'headers', 'http_headers', 'requestInit') ?? {},
    transport: named ?? (entry['httpUrl'] === undefined ? 'auto' : 'streamable'),
    oauth: readOAuth(entry),
  };
}

function readOAuth(entry: Entry): OAuthSettings | undefined {
  const oauth = [entry['oauth'], entry['auth']].find(isObject);
  if (!oauth) return undefined;
  const scopes = typeof oauth['scopes'] === 'string' ? oauth['scopes'].split(' ') : listOf(oauth, 'scopes');
  return {
    clientId: stringOf(oauth, 'clientId', 'client_id', 'CLIENT_ID'),
    clientSecret: stringOf(oauth, 'clientSecret', 'client_secret', 'CLIENT_SECRET'),
    scopes: scopes ?? stringOf(oauth, 'scope')?.split(' '),
    callbackPort: numberOf(oauth, 'callbackPort'),
    authorizationServerMetadataUrl: stringOf(oauth, 'authServerMetadataUrl'),
  };
}

function readFilter(entry: Entry, { allowKeys, denyKeys }: Format): ToolFilter {
  const allowing = [...new Set([...allowKeys, 'allowedTools'])].filter((key) => listOf(entry, key));
  const [first, second] = allowing;
  if (second !== undefined)
    throw new WrongValue(second, `left out, because the entry also has "${first}"`, entry[second]);
  const allow = first === undefined ? undefined : listOf(entry, first);
  const deny = [...new Set([...denyKeys, 'blockedTools'])].flatMap((key) => listOf(entry, key) ?? []);
  // With an empty list, no tool is shown; other hosts do the same.
  if (allow?.length === 0) return { allow, deny: ['*'] };
  return { allow: !allow || allow.includes('*') ? [] : allow, deny };
}

function readTimeouts(
  entry: Entry,
  { timeoutUnit, timeoutOf }: Format,
): Pick<ReadEntry, 'startTimeoutMs' | 'callTimeoutMs'> {
  const inUnit = (unitMs: number, key: string) => {
    const value = numberOf(entry, key);
    return value === undefined ? undefined : value * unitMs;
  };
  const timeout = () => inUnit(timeoutUnit === 'seconds' ? 1_000 : 1, 'timeout');
  return {
    startTimeoutMs:
      inUnit(1_000, 'startup_timeout_sec') ??
      numberOf(entry, 'startup_timeout_ms', 'connectionTimeout') ??
      (timeoutOf === 'start' ? timeout() : undefined) ??
      defaultStartTimeoutMs,
    callTimeoutMs:
      inUnit(1_000, 'tool_timeout_sec') ??
      numberOf(entry, 'requestTimeout') ??
      (timeoutOf === 'call' ? timeout() : undefined) ??
      defaultCallTimeoutMs,
  };
}

function readHeaderVariables(entry: Entry): Readonly<Record<string, string>> {
  const token = stringOf(entry, 'bearer_token_env_var', 'bearerTokenEnv', 'bearer_token_env');
  return {
    ...stringsOf(entry, 'env_http_headers'),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
}
