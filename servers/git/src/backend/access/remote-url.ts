import { isAbsolute, sep } from 'node:path';
import type { Bound } from './allowed-directories.ts';
import { quoted } from '../display-name.ts';

/** Where a remote is: on this machine, inside the bound, or elsewhere. */
export type RemoteAddress = { readonly local: true; readonly path: string } | { readonly local: false };

const schemes = /^(https?|ssh|git|file):\/\//;
const scpLike = /^(?!-)[\w.-]+@(?!-)[\w.-]+:(?!:)[^\s]+$/;

/** Refuses an address that git would run a program for, that reads as an option, or that leads out of the bound. */
export function remoteAddress(url: string, bound: Bound, from?: string): RemoteAddress {
  const strange = /^-|\p{Cc}/u.test(url) || url.length > 4_096;
  const scheme = schemes.exec(url)?.[1];
  if (!strange && scheme && scheme !== 'file') {
    const { hostname } = parsed(url);
    if (hostname !== '' && !hostname.startsWith('-')) return { local: false };
  }
  if (!strange && !scheme && scpLike.test(url)) return { local: false };
  if (!strange && url.startsWith('file:///')) return localAddress(pathOf(url), bound);
  if (!strange && !scheme && isAbsolute(url)) return localAddress(url, bound);
  // Before a colon git sees a host, and after a tilde a user's home.
  if (!strange && from !== undefined && !/^~|^[^/]*:/.test(url)) return localAddress(url, bound, from);
  throw new Error(
    `Not an address of a remote: ${quoted(url)}; accepted are https://, ssh://, git://, user@host:path, and file:// inside the repositories named at the start`,
  );
}

function localAddress(path: string, bound: Bound, from = ''): RemoteAddress {
  const parts = path.split(sep === '\\' ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
  const named = parts.findIndex((part) => part !== '..');
  // After a link, ".." is not what it looks like.
  if (named !== -1 && parts.includes('..', named)) {
    throw new Error(
      `Not an address of a remote: ${quoted(path)}; accepted is a path with ".." only where it begins`,
    );
  }
  return { local: true, path: bound.enter(from === '' ? path : `${from}/${path}`) };
}

/** The path in a `file:///`, as git reads it: what a URL has besides, such as a query, is part of the path. */
function pathOf(url: string): string {
  let path: string;
  try {
    path = decodeURIComponent(url.slice('file://'.length));
  } catch {
    throw new Error(`Not a URL: ${quoted(url)}`);
  }
  return sep === '\\' ? path.replace(/^\/(?=[a-z]:)/i, '') : path;
}

function parsed(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new Error(`Not a URL: ${quoted(url)}`);
  }
}
