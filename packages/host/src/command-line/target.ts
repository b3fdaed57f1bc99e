import { closestNames } from '@mcp/kit';
import { type HostError, usageError } from '../errors.ts';
import type { Servers } from '../servers/servers.ts';
import { printedCommand } from '../printed-command.ts';

/** The name of a server, and the name of a tool, a prompt or another item of that server. */
export interface Target {
  readonly server: string;
  readonly name: string;
}

/**
 * Reads `server.tool`, `server/tool`, or only `tool` if there is exactly one server. Names of servers may
 * contain dots.
 */
export function parseTarget(word: string | undefined, servers: readonly string[], what: string): Target {
  if (word === undefined) throw usageError(`Name a ${what}: <server>.<${what}>`);
  const known = servers
    .filter((server) => word.startsWith(`${server}.`) || word.startsWith(`${server}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  const [only] = servers;
  if (known === undefined && only !== undefined && servers.length === 1) return { server: only, name: word };
  const at = known?.length ?? word.search(/[./]/);
  if (at <= 0 || at === word.length - 1) {
    if (servers.includes(word))
      throw usageError(`Name a ${what} of "${word}": ${word}.<${what}>`, printedCommand(`${what}s`, word));
    const [close] = closestNames(word, servers, 1);
    throw close === undefined
      ? usageError(`"${word}" names no ${what}; expected <server>.<${what}>`, printedCommand(`${what}s`))
      : usageError(
          `"${word}" names no ${what}, and no server; did you mean "${close}"?`,
          printedCommand(`${what}s`, close),
        );
  }
  return { server: word.slice(0, at), name: word.slice(at + 1) };
}

/**
 * The target that the first words name, as `server.tool` or `server tool`, and the words after the target. If
 * the name has no server, the error names the servers whose cached lists have an item of this name.
 */
export async function targetFirst(
  [word, next, ...rest]: readonly string[],
  servers: Servers,
  what: 'tool' | 'prompt',
): Promise<{ readonly target: Target; readonly rest: readonly string[] }> {
  const { names } = servers;
  if (word !== undefined && next !== undefined && names.includes(word) && !next.includes('='))
    return { target: { server: word, name: next }, rest };
  const behind = next === undefined ? [] : [next, ...rest];
  try {
    return { target: parseTarget(word, names, what), rest: behind };
  } catch (error) {
    const found = word === undefined ? [] : await serversWith(word, servers, `${what}s`);
    if (found.length === 0) throw error;
    const meant = found.map((server) => `"${server}.${word}"`).join(' or ');
    throw usageError(`"${word}" names no ${what}; did you mean ${meant}?`);
  }
}

/** The servers whose cached list has an item of this name. */
async function serversWith(name: string, servers: Servers, kind: 'tools' | 'prompts'): Promise<string[]> {
  const lists = await Promise.allSettled(
    servers.names.map((server) => servers.list(server, kind, { cachedAfterMs: 0 })),
  );
  return servers.names.filter((_, index) => {
    const list = lists[index]!;
    return list.status === 'fulfilled' && list.value.items.some((item) => item.name === name);
  });
}

/**
 * The server that the first word names, or the only server. Throws if there is neither; the error shows the
 * command `usage`.
 */
export function serverFirst(
  positionals: readonly string[],
  servers: readonly string[],
  ...usage: readonly string[]
): { readonly server: string; readonly rest: readonly string[] } {
  const [first, ...rest] = positionals;
  const [only] = servers;
  if (only !== undefined && servers.length === 1 && first !== only)
    return { server: only, rest: positionals };
  if (first === undefined) throw usageError(`Name a server: ${printedCommand(...usage)}`);
  return { server: first, rest };
}

/** Splits `name=value`. Throws a `HostError` that shows the `expected` form. */
export function pairOf(word = '', expected: string): [name: string, value: string] {
  const at = word.indexOf('=');
  if (at <= 0) throw usageError(`Unexpected argument: "${word}"; expected ${expected}`);
  return [word.slice(0, at), word.slice(at + 1)];
}

/**
 * The error for a login to a stdio server, which has no login: it gets its credentials as environment
 * variables.
 */
export function noLogin(server: string): HostError {
  return usageError(`There is no login to "${server}": only servers with a URL have one`);
}
