import { mistake, type Place } from '../document/place.ts';

/**
 * Whether a path has a part that leads elsewhere: "." or "..", also encoded. The parts end at a slash or a
 * backslash, also at an encoded one, because a proxy may decode them; URLs drop tabs and line breaks, and
 * some servers drop what follows a semicolon.
 */
export function hasDots(path: string): boolean {
  const parts = path.replaceAll(/[\t\r\n]/g, '').split(/\/|\\|%2f|%5c/i);
  return parts.some((part) => /^(?:\.|%2e){1,2}(?:;|$)/i.test(part));
}

/** Refuses a path of the document that a URL would not keep as it is. */
export function refusePath(path: string, pointer: Place['pointer']): void {
  if (/[?#\\]/.test(path))
    throw mistake(pointer, 'its path has a "?", "#" or "\\", which end or change a path');
  if (/\p{Cc}/u.test(path)) throw mistake(pointer, 'its path has a control character, which URLs drop');
  if (path.endsWith(' ')) throw mistake(pointer, 'its path ends with a space, which URLs drop');
  if (hasDots(path))
    throw mistake(pointer, 'its path has a part "." or "..", which could lead out of `baseUrl`');
}
