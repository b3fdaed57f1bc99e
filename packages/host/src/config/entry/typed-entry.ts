import type { ServerEntry } from './server-entry.ts';
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
  const name = new URL(url).host;
  return { ...defaults, name, target: { kind: 'http', url, headers: {}, transport: 'auto' } };
}

/** A server that the command line names as a command: all that follows `--`. */
export function entryOfCommand([command = '', ...args]: readonly string[]): ServerEntry {
  const name = command.split(/[\\/]/).at(-1) || 'server';
  return { ...defaults, name, target: { kind: 'stdio', command, args, env: {}, cwd: process.cwd() } };
}

/** Whether a word of the command line is the address of a server. */
export function isServerUrl(word: string): boolean {
  return /^(?:https?|unix|pipe):\/\//i.test(word) && URL.canParse(word);
}

/** A server that the command line names, in the form of a server of a configuration file. */
export function asConfigured(entry: ServerEntry): ConfiguredServer {
  return {
    name: entry.name,
    scope: entry.scope,
    origin: { file: 'the command line', line: 1 },
    format: formats.any,
    enabled: true,
    hidden: [],
    resolve: () => Promise.resolve(entry),
  };
}
