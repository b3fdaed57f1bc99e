import { isObject } from '@mcp/kit';
import { isDigest } from './digest.ts';
import type { SkillEntry, SkillFile } from './entry.ts';
import { skillLimits } from './limits.ts';
import { isSkillName, lastSegment, nameRuleText, pathInSkill, rootOf } from './skill-uri.ts';

/**
 * Returns an entry that a server has sent. Throws an `Error` if it is not one: without frontmatter or files,
 * with a name that is not that of its directory, with files twice or outside of the directory, and beyond
 * `skillLimits`.
 */
export function checkEntry(value: unknown): SkillEntry {
  if (!isObject(value)) throw new Error('the entry must be an object');
  const { uri, frontmatter, resources } = value;
  const root = typeof uri === 'string' ? rootOf(uri) : undefined;
  if (typeof uri !== 'string' || root === undefined)
    throw new Error(`"uri" must be that of a SKILL.md, not ${JSON.stringify(uri)}`);
  if (!isObject(frontmatter)) throw new Error('"frontmatter" must be an object');
  const { name, description } = frontmatter;
  if (typeof name !== 'string' || !isSkillName(name))
    throw new Error(`"name" must have ${nameRuleText}, not ${JSON.stringify(name)}`);
  if (typeof description !== 'string' || description.trim() === '')
    throw new Error('"description" must be a text');
  if (lastSegment(root) !== name)
    throw new Error(`the name "${name}" is not that of the directory "${lastSegment(root)}"`);
  return {
    uri,
    frontmatter: { ...frontmatter, name, description },
    resources: resources === 'dynamic' ? resources : checkFiles(uri, root, resources),
  };
}

function checkFiles(skillUri: string, root: string, resources: unknown): readonly SkillFile[] {
  if (!Array.isArray(resources)) throw new Error('"resources" must be an array of files or "dynamic"');
  if (resources.length > skillLimits.files)
    throw new Error(`it has ${resources.length} files; at most ${skillLimits.files} are accepted`);
  const files = resources.map(checkFile);
  const uris = new Set<string>();
  for (const { uri } of files) {
    pathInSkill(root, uri);
    if (uris.has(uri)) throw new Error(`"resources" has "${uri}" twice`);
    uris.add(uri);
  }
  if (!uris.has(skillUri)) throw new Error('"resources" must have the SKILL.md');
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > skillLimits.bytes)
    throw new Error(`its files have ${bytes} bytes; at most ${skillLimits.bytes} are accepted`);
  return files;
}

function checkFile(value: unknown): SkillFile {
  const { uri, digest, size } = isObject(value) ? value : {};
  if (typeof uri !== 'string') throw new Error('every file must have a "uri", a string');
  if (!isDigest(digest))
    throw new Error(`"digest" of "${uri}" must be "sha256:" and 64 lowercase hexadecimal digits`);
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw new Error(`"size" of "${uri}" must be a number of bytes`);
  return { uri, digest, size };
}
