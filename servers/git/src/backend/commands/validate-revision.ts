import { quoted } from '../display-name.ts';

const suffix = String.raw`(?:~\d{0,6}|\^\d{0,3}|\^\{(?:commit|tree|blob|tag|object)?\}|@\{[\w .:+/-]{1,60}\})`;
// The first character is no dash, and nothing in a name is a range, a path, a regular expression or a control.
const name = String.raw`(?!-)(?:@|(?:(?!\.\.|@\{)[^\p{Cc} ~^:?*\[\\])+)`;
const revisionPattern = new RegExp(`^(?:${name}|@\\{[\\w .:+/-]{1,60}\\})${suffix}*$`, 'u');
const longest = 300;

/** A revision as an argument of git: what cannot be one is refused before any process could see it. */
export function revision(value: string): string {
  if (value.length <= longest && revisionPattern.test(value)) return value;
  throw new Error(
    `Not a revision: ${quoted(value)}; accepted are a branch, a tag, a hash, HEAD, and these with ~2, ^1 or @{upstream}`,
  );
}

/** A revision, or a range of two such as `a..b` or `a...b`, of which either end may be left out. */
export function revisionOrRange(value: string): string {
  const [, from, dots, to] = /^(.*?)(\.{2,3})(.*)$/s.exec(value) ?? [];
  if (dots === undefined) return revision(value);
  if (!from && !to) throw new Error(`Not a range of revisions: ${quoted(value)}; accepted is a..b or a...b`);
  return `${from && revision(from)}${dots}${to && revision(to!)}`;
}

/** A revision, or a file or directory in one, such as `HEAD:src/main.ts`. */
export function objectName(value: string): string {
  const colon = value.indexOf(':');
  if (colon < 1) return revision(value);
  return `${revision(value.slice(0, colon))}:${treePath(value.slice(colon + 1))}`;
}

/** A path inside a revision, from its top. */
export function treePath(value: string): string {
  const parts = value.split('/');
  if (/^\/|[\0\n]/.test(value) || parts.includes('..') || parts.includes('.') || value.length > 4_096) {
    throw new Error(
      `Not a path inside a revision: ${quoted(value)}; accepted is a path from the top, without ".."`,
    );
  }
  return value;
}

// As git-check-ref-format has it; some more of what only makes trouble is refused too.
const badInRef = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|^[./-]|\.lock(\/|$)|[./]$|^@$|\ufffd/u;

/** The name of a branch or tag to make or to use. */
export function refName(value: string, noun: 'branch' | 'tag' | 'remote' = 'branch'): string {
  if (value !== '' && value !== 'HEAD' && value.length <= longest && !badInRef.test(value)) return value;
  throw new Error(
    `Not a name for a ${noun}: ${quoted(value)}; accepted is what git check-ref-format accepts`,
  );
}

/** A point in time, as git understands it. */
export function moment(value: string): string {
  const accepted = /^(?!-)(?=.*\d|yesterday|today|now|noon|midnight|last |never)[\w:+., /-]{1,60}$/;
  if (accepted.test(value)) return value;
  throw new Error(`Not a time: ${quoted(value)}; accepted are ISO 8601, and words such as "2 weeks ago"`);
}
