import { createHash } from 'node:crypto';
import type { Client } from '@mcp/protocol/client';

interface SkillEntry {
  readonly uri: string;
  readonly frontmatter: { readonly [field: string]: unknown };
  readonly resources: readonly SkillFile[];
}

interface SkillFile {
  readonly uri: string;
  /** `sha256:` and the hexadecimal digest. */
  readonly digest: string;
  readonly size: number;
}

/**
 * Loads all skills of a server, as a host does: nothing of a file is used unless its size and digest are
 * those of the entry, and nothing of a skill unless its frontmatter is the entry's.
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension#integrity-and-verification
 */
export async function loadSkills(client: Client): Promise<Map<string, string>> {
  const { skills } = (await client.request('skills/list')) as { skills: readonly SkillEntry[] };
  const files = new Map<string, string>();
  for (const skill of skills) {
    for (const file of skill.resources) files.set(file.uri, await loadFile(client, skill, file));
  }
  return files;
}

async function loadFile(client: Client, skill: SkillEntry, file: SkillFile): Promise<string> {
  const { contents } = await client.readResource(file.uri);
  const [first] = contents;
  const text = first && 'text' in first ? first.text : '';
  if (Buffer.byteLength(text) !== file.size)
    throw new Error(`The size of "${file.uri}" is not that of its entry`);
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  if (digest !== file.digest) throw new Error(`The digest of "${file.uri}" is not that of its entry`);
  if (file.uri === skill.uri) compareFrontmatter(text, skill);
  return text;
}

function compareFrontmatter(text: string, { uri, frontmatter }: SkillEntry): void {
  const [, block = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  const fields = Object.fromEntries(
    block
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const names = new Set([...Object.keys(fields), ...Object.keys(frontmatter)]);
  const different = [...names].find((name) => fields[name] !== frontmatter[name]);
  if (different !== undefined) throw new Error(`"${different}" of "${uri}" is not that of its entry`);
}
