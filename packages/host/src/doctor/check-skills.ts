import { listSkills } from '@mcp/skills';
import { hasSkills } from '../has-skills.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';
import { verifySkillFiles } from './verify-skill.ts';

const { ok, note, fault } = findingsOf('skills');

/** Reads all skills, and compares their files with their digests; no findings without the extension. */
export async function checkSkills({ client }: Session, signal: AbortSignal): Promise<Finding[]> {
  if (!hasSkills(client)) return [];
  const { skills, refused } = await listSkills(client, { signal });
  const findings = refused.map(({ uri, reason }) =>
    fault(`${uri}: ${reason}`, 'correct its entry: a client that follows the extension refuses it'),
  );
  const dynamic: string[] = [];
  for (const skill of skills) {
    if (skill.resources === 'dynamic') dynamic.push(skill.uri);
    const reason = await verifySkillFiles(client, skill, signal);
    if (reason !== undefined)
      findings.push(
        fault(`${skill.uri}: ${reason}`, 'serve each file with the digest and the size that the entry has'),
      );
  }
  if (dynamic.length > 0)
    findings.push(note(`without digests, so that nobody can verify them: ${dynamic.join(', ')}`));
  const right = skills.length + refused.length - findings.filter(({ level }) => level === 'fault').length;
  return right > 0 || findings.length === 0
    ? [ok(`${right} of ${skills.length + refused.length} are as their digests say`), ...findings]
    : findings;
}
