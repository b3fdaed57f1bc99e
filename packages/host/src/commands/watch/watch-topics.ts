import { usageError } from '../../errors.ts';

/** The watched resources and lists of one server. */
export interface WatchTopics {
  readonly server: string;
  readonly uris: readonly string[];
  /** Whether the server's lists of tools, resources and prompts are watched. */
  readonly lists: boolean;
}

const expected = 'expected <server> <uri…>, <server>:<uri> or <server> --lists';

/**
 * Parses `server uri… server uri…` and `server:uri`; the name of the only server may be left out. Throws a
 * `HostError` for a URI without a server, and for a server with nothing to watch.
 */
export function parseWatchTopics(
  words: readonly string[],
  servers: readonly string[],
  lists: boolean,
): readonly WatchTopics[] {
  const topics = new Map<string, Set<string>>();
  const urisOf = (server: string) => {
    const uris = topics.get(server) ?? new Set<string>();
    topics.set(server, uris);
    return uris;
  };
  const [only] = servers;
  let current = servers.length === 1 ? only : undefined;
  for (const [index, word] of words.entries()) {
    const pair = pairOf(word, servers);
    if (pair) urisOf(pair.server).add(pair.uri);
    else if (servers.includes(word) || (index === 0 && current === undefined)) {
      current = word;
      urisOf(word);
    } else if (current === undefined) throw usageError(`No server is named before "${word}"; ${expected}`);
    else urisOf(current).add(word);
  }
  if (topics.size === 0 && current !== undefined && lists) urisOf(current);
  if (topics.size === 0) throw usageError(`Nothing to watch; ${expected}`);
  for (const [server, uris] of topics)
    if (uris.size === 0 && !lists) throw usageError(`Nothing to watch of "${server}"; ${expected}`);
  return Array.from(topics, ([server, uris]) => ({ server, uris: [...uris], lists }));
}

/**
 * Splits `git:git://log/log` into server and URI; `git://log/log` alone is a URI, also for a server `git`.
 */
function pairOf(word: string, servers: readonly string[]) {
  const server = servers.find(
    (each) => word.startsWith(`${each}:`) && /^[a-z][a-z\d+.-]*:/i.test(word.slice(each.length + 1)),
  );
  return server === undefined ? undefined : { server, uri: word.slice(server.length + 1) };
}
