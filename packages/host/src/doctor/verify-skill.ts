import { messageOf } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import { readSkillFile, type SkillEntry } from '@mcp/skills';

/** What became of the files of a skill that were read: the reason of a fault, or undefined. */
export async function verifySkillFiles(
  client: Client,
  skill: SkillEntry,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    for (const { uri } of skill.resources === 'dynamic' ? [] : skill.resources)
      await readSkillFile(client, skill, uri, { signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return messageOf(error);
  }
}
