import { exitCodes, HostError } from '../errors.ts';

/** A name of a server and of something on it. */
export interface Target {
  readonly server: string;
  readonly name: string;
}

/**
 * Reads `server.tool` or `server/tool`; names of servers may have dots themselves, so that the known ones decide. Of a
 * single server the name alone is enough.
 */
export function parseTarget(word: string | undefined, servers: readonly string[], what: string): Target {
  if (word === undefined) throw usageError(`Name a ${what}: <server>.<${what}>`);
  const known = servers
    .filter((server) => word.startsWith(`${server}.`) || word.startsWith(`${server}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  const [only] = servers;
  if (known === undefined && only !== undefined && servers.length === 1) return { server: only, name: word };
  const at = known?.length ?? word.search(/[./]/);
  if (at <= 0 || at === word.length - 1)
    throw usageError(`"${word}" names no ${what}; expected <server>.<${what}>`);
  return { server: word.slice(0, at), name: word.slice(at + 1) };
}

export function usageError(message: string, hint?: string): HostError {
  return new HostError(message, { phase: 'configuration', exitCode: exitCodes.usage, hint });
}

/** The server that is named first, or the only one there is; and the words behind it. */
export function serverFirst(
  positionals: readonly string[],
  servers: readonly string[],
): { readonly server: string | undefined; readonly rest: readonly string[] } {
  const [first, ...rest] = positionals;
  const [only] = servers;
  if (only !== undefined && servers.length === 1 && first !== only)
    return { server: only, rest: positionals };
  return { server: first, rest };
}
