import type { ServerEntry } from './server-entry.ts';
import { type HostError, usageError } from '../../errors.ts';
import { formats } from '../formats/formats.ts';
import type { ConfiguredServer } from '../load-configuration.ts';

const defaults = {
  scope: 'command-line',
  origin: undefined,
  enabled: true,
  tools: { allow: [], deny: [] },
  startTimeoutMs: 30_000,
  callTimeoutMs: 60_000,
  variables: [],
  notes: [],
} as const;

/** A server that the command line names by its address. */
export function entryOfUrl(url: string): ServerEntry {
  const { host: name, username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw usageError(
      'Invalid URL: it contains a user or a password',
      "--header 'Authorization: Basic ${VARIABLE}' sends them",
    );
  return { ...defaults, name, target: { kind: 'http', url, headers: {}, transport: 'auto' } };
}

/** A server that the command line names as a command: all that follows `--`. */
export function entryOfCommand([command = '', ...args]: readonly string[]): ServerEntry {
  const name = command.split(/[\\/]/).at(-1) || 'server';
  return { ...defaults, name, target: { kind: 'stdio', command, args, env: {}, cwd: process.cwd() } };
}

/** What the options of a command line add to a server that it names. */
export interface TypedSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The id of a registered client for the login. */
  readonly clientId: string | undefined;
  readonly startTimeoutMs: number | undefined;
}

/** A server of the command line with its settings. Throws for a setting that its kind does not have. */
export function withSettings(entry: ServerEntry, settings: TypedSettings): ServerEntry {
  const { env, headers, clientId, startTimeoutMs = entry.startTimeoutMs } = settings;
  const { target } = entry;
  const isCommand = target.kind === 'stdio';
  if (isCommand && Object.keys(headers).length > 0)
    throw usageError('--header is for a server with a URL, and this one is a command');
  if (isCommand && clientId !== undefined) throw noClientId();
  if (!isCommand && Object.keys(env).length > 0)
    throw usageError('--env is for a server that is a command, and this one has a URL');
  return {
    ...entry,
    startTimeoutMs,
    target: isCommand
      ? { ...target, env: { ...target.env, ...env } }
      : {
          ...target,
          headers: { ...target.headers, ...headers },
          ...(clientId !== undefined && { oauth: { clientId } }),
        },
  };
}

export function noClientId(): HostError {
  return usageError('--client-id is for a server with a URL, and this one is a command');
}

/** Whether a word of the command line is the address of a server. */
export function isServerUrl(word: string): boolean {
  return /^(?:https?:\/\/|(?:unix|pipe):\/)/i.test(word) && URL.canParse(word);
}

/** A server that the command line names, in the form of a server of a configuration file. */
export function asConfigured(entry: ServerEntry): ConfiguredServer {
  return {
    name: entry.name,
    scope: entry.scope,
    origin: { file: 'the command line', line: 1 },
    format: formats.any,
    enabled: true,
    path: [],
    written: undefined,
    hidden: [],
    resolve: () => Promise.resolve(entry),
  };
}
