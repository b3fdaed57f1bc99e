import type { CallOptions, Client } from '@mcp/protocol/client';
import { getSkill, listSkills, type SkillEntry, SkillError } from '@mcp/skills';
import { didYouMean } from '../../did-you-mean.ts';
import { callError, HostError, exitCodes } from '../../errors.ts';
import { hasSkills } from '../../has-skills.ts';
import { printedCommand } from '../../printed-command.ts';

/**
 * The skill of a server with this URI or name. Throws a `HostError` if there is none, and if several have
 * this name.
 */
export async function findSkill(
  client: Client,
  server: string,
  skill: string,
  options: CallOptions,
): Promise<SkillEntry> {
  const hint = printedCommand('skills', 'list', server);
  if (!hasSkills(client))
    throw callError(server, `The server "${server}" has no skills`, printedCommand('show', server));
  if (skill.includes('://')) return getSkill(client, skill, options);
  const { skills, refused } = await listSkills(client, options);
  const found = skills.filter(({ frontmatter }) => frontmatter.name === skill);
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  if (first) {
    const uris = found.map(({ uri }) => uri).join(', ');
    throw callError(server, `Several skills of "${server}" have the name "${skill}": ${uris}`, hint);
  }
  const wrong = refused.find(({ uri }) => uri.endsWith(`/${skill}/SKILL.md`));
  if (wrong) throw callError(server, `The skill "${wrong.uri}" is refused: ${wrong.reason}`, hint);
  const names = skills.map(({ frontmatter }) => frontmatter.name);
  throw callError(
    server,
    `The server "${server}" lists no skill "${skill}"${didYouMean(skill, names)}`,
    hint,
  );
}

/** An error for a skill that must not be used, in the words and with the exit code of the command. */
export function skillProblem(server: string, error: unknown): unknown {
  if (error instanceof SkillError) {
    const options = { server, phase: 'call', exitCode: exitCodes.faults, cause: error } as const;
    return new HostError(error.message, options);
  }
  return error;
}
