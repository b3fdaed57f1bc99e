import { readSkillFile } from '@mcp/skills';
import type { CommandInput } from '../../command-line/command.ts';
import { serverFirst } from '../../command-line/target.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { findSkill, skillProblem } from './find-skill.ts';
import { pathOf, sizeText, uriOf } from './files.ts';

/** `mcp skills get`: prints the `SKILL.md` of a skill or one of its files, after its digest was compared. */
export async function get({ positionals, servers, output, signal }: CommandInput): Promise<number> {
  const usage = ['skills', 'get', '<server>', '<skill>'];
  const { server, rest } = serverFirst(positionals, servers.names, ...usage);
  const [name, path] = rest;
  if (name === undefined) throw usageError(`Name a server and a skill: ${printedCommand(...usage)}`);
  return servers.use(server, async (client) => {
    const skill = await findSkill(client, server, name, { signal }).catch((error: unknown) => {
      throw skillProblem(server, error);
    });
    const uri = path === undefined ? skill.uri : uriOf(skill, path);
    const bytes = await readSkillFile(client, skill, uri, { signal, unverified: true }).catch(
      (error: unknown) => {
        throw skillProblem(server, error);
      },
    );
    const text = Buffer.from(bytes).toString();
    if (output.json) {
      output.value({ server, skill, uri, text });
      return exitCodes.ok;
    }
    const { resources } = skill;
    output.note(`${uri}, of the server ${server}`);
    if (resources === 'dynamic') output.warning('The content is dynamic: it was not compared with a digest');
    else if (path === undefined) {
      for (const file of resources) output.note(`  ${pathOf(skill, file.uri)}  ${sizeText(file.size)}`);
    }
    output.foreign(text.replace(/\n$/, ''));
    return exitCodes.ok;
  });
}
