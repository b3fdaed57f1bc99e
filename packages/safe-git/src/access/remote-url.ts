import { isAbsolute, sep } from 'node:path';
import type { AllowedDirectories } from './allowed-directories.ts';
import { quoted } from '../safe-text.ts';

/** Where a remote is: on this machine, at a path inside the allowed directories, or on another host. */
export type RemoteLocation = { readonly local: true; readonly path: string } | { readonly local: false };

const schemes = /^(https?|ssh|git|file):\/\//;
/** The form `[user@]host:path`; a single letter before the colon is a Windows drive, not a host. */
const scpLike = /^(?:(?!-)[\w.-]+@(?!-)[\w.-]+|(?!-)[\w.-]{2,}):(?![:-]|\/\/)[^\s]+$/;

/**
 * Parses the URL of a remote; a relative path is resolved from `base`. Throws for a path outside the allowed
 * directories, for a URL that makes git run a program, and for a URL that git would read as an option.
 */
export function parseRemoteUrl(url: string, allowed: AllowedDirectories, base?: string): RemoteLocation {
  const invalid = /^-|\p{Cc}/u.test(url) || url.length > 4_096;
  const scheme = schemes.exec(url)?.[1];
  if (!invalid && scheme && scheme !== 'file') {
    const { hostname } = parseUrl(url);
    if (hostname !== '' && !hostname.startsWith('-')) return { local: false };
  }
  if (!invalid && !scheme && scpLike.test(url)) return { local: false };
  if (!invalid && url.startsWith('file:///')) return localLocation(pathOf(url), allowed);
  if (!invalid && !scheme && isAbsolute(url)) return localLocation(url, allowed);
  // Any other text is a relative path, unless it begins with `~` or has a colon before the first slash: git
  // reads these as a home directory or as `host:path`.
  if (!invalid && base !== undefined && !/^~|^[^/]*:/.test(url)) return localLocation(url, allowed, base);
  throw invalidUrl(url);
}

function invalidUrl(url: string): Error {
  return new Error(
    `Invalid URL of a remote: ${quoted(url)}; expected https://, ssh://, git://, [user@]host:path, or file:// inside the allowed directories`,
  );
}

function localLocation(path: string, allowed: AllowedDirectories, base = ''): RemoteLocation {
  const parts = path.split(sep === '\\' ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
  const named = parts.findIndex((part) => part !== '..');
  // ".." after a name is refused: if the name is that of a symlink, ".." leads to the parent of the symlink's
  // target and not back.
  if (named !== -1 && parts.includes('..', named)) {
    throw new Error(`Invalid URL of a remote: ${quoted(path)}; ".." is accepted only at the beginning`);
  }
  return { local: true, path: allowed.existingDirectory(base === '' ? path : `${base}/${path}`) };
}

/** The path of a `file:///` URL. As in git, a `?` or `#` does not end the path. */
function pathOf(url: string): string {
  let path: string;
  try {
    path = decodeURIComponent(url.slice('file://'.length));
  } catch {
    throw new Error(`Invalid URL of a remote: ${quoted(url)}; a "%" in it is not followed by valid UTF-8`);
  }
  return sep === '\\' ? path.replace(/^\/(?=[a-z]:)/i, '') : path;
}

function parseUrl(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw invalidUrl(url);
  }
}
