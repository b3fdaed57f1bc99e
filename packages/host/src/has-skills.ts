import { extensionSettings } from '@mcp/protocol';
import type { Client } from '@mcp/protocol/client';
import { skillsExtension } from '@mcp/skills';

/** Whether a server declares that it has skills. */
export function hasSkills({ capabilities }: Client): boolean {
  return extensionSettings(capabilities, skillsExtension) !== undefined;
}
