/** The name of the file that makes a directory a skill. */
export const skillFile = 'SKILL.md';

const nameRule = /^(?!.*--)[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/;

export const nameRuleText =
  '1 to 64 lowercase letters, digits and hyphens, with no hyphen at an end or beside another';

/** Whether a name is one that the Agent Skills specification allows. */
export function isSkillName(name: string): boolean {
  return nameRule.test(name);
}

/** The URI of the directory of a skill; undefined if `uri` is not that of a `SKILL.md`. */
export function rootOf(uri: string): string | undefined {
  const [, root] = /^([a-z][a-z0-9+.-]*:\/\/[^?#]+)\/SKILL\.md$/is.exec(uri) ?? [];
  return uri.endsWith(`/${skillFile}`) ? root : undefined;
}

/** The last segment of the URI of a directory, which is the name of a skill. */
export function lastSegment(root: string): string {
  return root.slice(root.lastIndexOf('/') + 1);
}

/**
 * The path of a file in its skill, as names without percent-encoding. Throws an `Error` for a URI outside the
 * directory of the skill, and for one with a name that has a separator or a control character, or that is `.`
 * or `..`, so that the names can be those of files.
 */
export function pathInSkill(root: string, uri: string): readonly string[] {
  if (!uri.startsWith(`${root}/`)) throw new Error(`"${uri}" is not within "${root}"`);
  return uri
    .slice(root.length + 1)
    .split('/')
    .map((segment) => {
      const name = decoded(segment);
      if (name !== undefined && isFileName(name) && !/[?#]/.test(segment)) return name;
      throw new Error(`"${uri}" has a segment that is not a valid file name: "${segment}"`);
    });
}

/** Whether the name is that of one entry of a directory on each system. */
export function isFileName(name: string): boolean {
  if (name === '' || name === '.' || name === '..') return false;
  return (
    !/[/\\]/.test(name) && !Array.from(name).some((character) => isControl(character.codePointAt(0) ?? 0))
  );
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000);
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
