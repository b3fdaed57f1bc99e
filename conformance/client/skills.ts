import type { Client } from '@mcp/protocol/client';
import { listSkills, readSkill, readSkillFile } from '@mcp/skills';

/** Loads all skills of a server, as a host does: the `SKILL.md` first, then the other files. */
export async function loadSkills(client: Client): Promise<void> {
  const { skills, refused } = await listSkills(client);
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
  for (const skill of skills) {
    await readSkill(client, skill);
    const files = skill.resources === 'dynamic' ? [] : skill.resources;
    for (const { uri } of files) await readSkillFile(client, skill, uri);
  }
}
