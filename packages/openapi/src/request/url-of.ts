import type { FoundOperation } from '../document/operations.ts';
import type { Values } from '../options.ts';
import { isSameParameter } from '../plan/same-parameter.ts';
import { type Given, pairsOf } from './given.ts';
import { pathText } from './path-text.ts';
import { percentEncode } from './serialize.ts';

/** The values of a request that are in its URL. */
interface InUrl {
  readonly path: readonly Given[];
  readonly query: readonly Given[];
  /** What the author adds to the query. */
  readonly added: Values;
}

/** The URL of a request. Throws an `Error` for one that would not be that of the operation below the base. */
export function urlOf(base: string, operation: FoundOperation, { path, query, added }: InUrl): URL {
  const text = pathText(operation, path);
  const search = queryText(query, added);
  const url = new URL(`${base}${text}${search === '' ? '' : `?${search}`}`);
  if (!isBelow(url, new URL(base), text))
    throw new Error('The URL of the request would not be that of the path');
  return url;
}

/** Whether a URL has the origin and the path of the base, and each part of the path that was appended. */
function isBelow(url: URL, base: URL, path: string): boolean {
  const basePath = base.pathname.replace(/\/$/, '');
  const parts = (text: string) => text.split('/').length;
  return (
    url.origin === base.origin &&
    url.pathname.startsWith(`${basePath}/`) &&
    parts(url.pathname) === parts(basePath + path)
  );
}

function queryText(query: readonly Given[], added: Values): string {
  // Also members of objects, which may have any name, do not replace what the author adds.
  const names = Object.keys(added);
  const isReplaced = (pair: string) => {
    const name = decodeURIComponent(pair.split('=', 1)[0] ?? '');
    return names.some((each) => isSameParameter(each, name));
  };
  const pairs = query.flatMap((given) => pairsOf(given)?.split('&') ?? []);
  return [
    ...pairs.filter((pair) => !isReplaced(pair)),
    ...Object.entries(added).map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`),
  ].join('&');
}
