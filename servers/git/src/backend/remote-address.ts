import { fileURLToPath } from 'node:url';
import { isAbsolute } from 'node:path';
import type { Bound } from './bound.ts';
import { quoted } from './commands/display-name.ts';

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
  if (!strange && scheme === 'file') return localAddress(fileURLToPath(parsed(url)), bound);
  if (!strange && !scheme && !url.includes('::') && (isAbsolute(url) || from !== undefined)) {
    return localAddress(isAbsolute(url) ? url : `${from}/${url}`, bound);
  }
  throw new Error(
    `Not an address of a remote: ${quoted(url)}; accepted are https://, ssh://, git://, user@host:path, and file:// inside the repositories named at the start`,
  );
}

function localAddress(path: string, bound: Bound): RemoteAddress {
  const real = bound.enter(path);
  bound.admitAlternates(`${real}/objects`);
  bound.admitAlternates(`${real}/.git/objects`);
  return { local: true, path: real };
}

function parsed(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new Error(`Not a URL: ${quoted(url)}`);
  }
}
