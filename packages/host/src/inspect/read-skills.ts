import { messageOf } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import { listSkills, pathInSkill, readSkillFile, rootOf, type SkillEntry, SkillError } from '@mcp/skills';
import { hasSkills } from '../has-skills.ts';
import type { ReadSkillFile, ShownSkill } from './shown.ts';

/** The skills of a server, and the entries that a client must refuse, with the reasons. */
export async function readSkills(client: Client) {
  return hasSkills(client) ? listSkills(client) : { skills: [], refused: [] };
}

export function shownSkill({ uri, frontmatter, resources }: SkillEntry): ShownSkill {
  const root = rootOf(uri) ?? uri;
  const files = resources === 'dynamic' ? [{ uri }] : resources;
  return {
    uri,
    name: frontmatter.name,
    description: frontmatter.description,
    frontmatter,
    files: files.map((file) => ({ ...file, path: pathInSkill(root, file.uri).join('/') })),
  };
}

/** Reads a file of a skill, and compares it with its entry. */
export async function readFileOf(client: Client, skill: SkillEntry, uri: string): Promise<ReadSkillFile> {
  try {
    const bytes = await readSkillFile(client, skill, uri, { unverified: true });
    const text = textOf(bytes);
    return {
      ...(text !== undefined && { text }),
      ...(skill.resources === 'dynamic' && { problem: 'The content is dynamic: it has no digest' }),
    };
  } catch (error) {
    if (error instanceof SkillError) return { problem: messageOf(error) };
    throw error;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
