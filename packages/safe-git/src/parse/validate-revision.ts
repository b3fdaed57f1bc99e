import { quoted } from '../safe-text.ts';

const suffix = String.raw`(?:~\d{0,6}|\^\d{0,3}|\^\{(?:commit|tree|blob|tag|object)?\}|@\{[\w .:+/-]{1,60}\})`;
// A name has no leading dash, range, path, regular expression or control character.
const name = String.raw`(?!-)(?:@|(?:(?!\.\.|@\{)[^\p{Cc} ~^:?*\[\\])+)`;
// Made when it is first needed, because its property of characters takes time to load.
let revisionPattern: RegExp | undefined;
const maxLength = 300;

/** Returns `value` if it is a revision; throws otherwise, before git is started. */
export function checkRevision(value: string): string {
  revisionPattern ??= new RegExp(`^(?:${name}|@\\{[\\w .:+/-]{1,60}\\})${suffix}*$`, 'u');
  if (value.length <= maxLength && revisionPattern.test(value)) return value;
  throw new Error(
    `Invalid revision: ${quoted(value)}; expected a branch, a tag, a hash or HEAD, optionally with ~2, ^1 or @{upstream}`,
  );
}

/** Like `checkRevision`, but also accepts a range `a..b` or `a...b`, either end of which may be omitted. */
export function checkRevisionOrRange(value: string): string {
  const [, from, dots, to] = /^(.*?)(\.{2,3})(.*)$/s.exec(value) ?? [];
  if (dots === undefined) return checkRevision(value);
  if (!from && !to) throw new Error(`Invalid range: ${quoted(value)}; expected a..b or a...b`);
  return `${from && checkRevision(from)}${dots}${to && checkRevision(to!)}`;
}

/** Like `checkRevision`, but also accepts a range `a..b`, which means all its commits. */
export function checkCommits(value: string): string {
  const [, from = '', dots, to = ''] = /^(.*?)(\.{2,})(.*)$/s.exec(value) ?? [];
  return dots === '..' ? `${checkRevision(from)}..${checkRevision(to)}` : checkRevision(value);
}

/** Like `checkRevision`, but also accepts a path in a revision, such as `HEAD:src/main.ts`. */
export function checkObjectName(value: string): string {
  const colon = value.indexOf(':');
  if (colon < 1) return checkRevision(value);
  return `${checkRevision(value.slice(0, colon))}:${checkTreePath(value.slice(colon + 1))}`;
}

/** Returns `value` if it is a path inside a revision, relative to the top directory; throws otherwise. */
export function checkTreePath(value: string): string {
  const parts = value.split('/');
  if (/^\/|\0/.test(value) || parts.includes('..') || parts.includes('.') || value.length > 4_096) {
    throw new Error(
      `Invalid path inside a revision: ${quoted(value)}; expected a path relative to the top, without ".."`,
    );
  }
  return value;
}

// The rules of git-check-ref-format, with some additions.
const invalidInRef = () => /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|^[./-]|\.lock(\/|$)|[./]$|^@$|\ufffd/u;

/** Returns `value` if it is a valid name of a branch, tag or remote; throws otherwise. */
export function checkRefName(value: string, noun: 'branch' | 'tag' | 'remote' = 'branch'): string {
  if (value !== '' && value !== 'HEAD' && value.length <= maxLength && !invalidInRef().test(value))
    return value;
  throw new Error(
    `Invalid ${noun} name: ${quoted(value)}; expected a name that git check-ref-format accepts`,
  );
}
