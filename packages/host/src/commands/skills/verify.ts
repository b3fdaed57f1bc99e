import { join, resolve } from 'node:path';
import { messageOf } from '@mcp/kit';
import type { Client } from '@mcp/protocol/client';
import { listSkills, type SkillEntry } from '@mcp/skills';
import { type CommandInput, valueOf } from '../../command-line/command.ts';
import { serverFirst } from '../../command-line/target.ts';
import { verifySkillFiles } from '../../doctor/verify-skill.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { hasSkills } from '../../has-skills.ts';
import { printedCommand } from '../../printed-command.ts';
import { filesOf, pathOf, sizeText, totalSize } from './files.ts';
import { findSkill, skillProblem } from './find-skill.ts';
import { type Change, changesBetween, digestsIn, exists } from './installed-files.ts';
import { pinsFile, readPins } from './pins.ts';

interface CheckedSkill {
  readonly uri: string;
  /** Undefined if nothing is wrong. */
  readonly fault?: string;
  readonly note?: string;
}

/**
 * `mcp skills verify`: reads all files of a skill, or of all skills of a server, and compares them with their
 * digests; with `--directory`, compares an installed skill with its pins and with the server. Exits with 9
 * after a fault.
 */
export async function verify({
  positionals,
  servers,
  options,
  output,
  signal,
}: CommandInput): Promise<number> {
  const usage = ['skills', 'verify', '<server>', '<skill>'];
  const { server, rest } = serverFirst(positionals, servers.names, ...usage);
  const [name] = rest;
  const directory = valueOf(options, 'directory');
  if (directory !== undefined && name === undefined)
    throw usageError(`Name a skill: ${printedCommand(...usage, '--directory', directory)}`);
  const checked = await servers.use(server, async (client) => {
    try {
      if (name === undefined) return await verifyAll(client, signal);
      const skill = await findSkill(client, server, name, { signal });
      const served = await verifySkill(client, skill, signal);
      return directory === undefined || served.fault !== undefined
        ? [served]
        : [await verifyInstalled(resolve(directory), skill)];
    } catch (error) {
      throw skillProblem(server, error);
    }
  });
  if (output.json) output.value({ server, skills: checked });
  else if (checked.length === 0) output.foreign(`The server ${server} lists no skills.`);
  for (const { uri, fault, note = '' } of output.json ? [] : checked)
    output.foreign(fault === undefined ? `ok     ${uri}  ${note}` : `fault  ${uri}: ${fault}`);
  return checked.some(({ fault }) => fault !== undefined) ? exitCodes.faults : exitCodes.ok;
}

async function verifyAll(client: Client, signal: AbortSignal): Promise<readonly CheckedSkill[]> {
  if (!hasSkills(client)) return [];
  const { skills, refused } = await listSkills(client, { signal });
  const checked: CheckedSkill[] = refused.map(({ uri, reason }) => ({ uri, fault: reason }));
  for (const skill of skills) checked.push(await verifySkill(client, skill, signal));
  return checked;
}

async function verifySkill(client: Client, skill: SkillEntry, signal: AbortSignal): Promise<CheckedSkill> {
  const { uri, resources } = skill;
  if (resources === 'dynamic') return { uri, note: 'dynamic: it has no digests' };
  const fault = await verifySkillFiles(client, skill, signal);
  if (fault !== undefined) return { uri, fault };
  const files = resources.length === 1 ? '1 file' : `${resources.length} files`;
  return { uri, note: `${files}, ${sizeText(totalSize(skill))}` };
}

async function verifyInstalled(directory: string, skill: SkillEntry): Promise<CheckedSkill> {
  const { uri } = skill;
  const { name } = skill.frontmatter;
  const pins = readPins(pinsFile(directory, name));
  const target = join(directory, name);
  if (!pins || !exists(target)) return { uri, fault: `it is not installed in "${directory}"` };
  const pinned = new Map(Object.entries(pins.files));
  let found: ReadonlyMap<string, string>;
  try {
    found = await digestsIn(target);
  } catch (error) {
    return { uri, fault: `"${target}" cannot be read: ${messageOf(error)}` };
  }
  const edited = changesBetween(pinned, found);
  if (edited.length > 0) return { uri, fault: `"${target}" was changed: ${textOf(edited)}` };
  const now = new Map(filesOf(skill).map((file) => [pathOf(skill, file.uri), file.digest]));
  const changes = changesBetween(pinned, now);
  if (changes.length > 0) return { uri, fault: `the skill of the server has changed: ${textOf(changes)}` };
  return { uri, note: `as installed in ${target}` };
}

function textOf(changes: readonly Change[]): string {
  return changes.map(([kind, path]) => `${kind} ${path}`).join(', ');
}
