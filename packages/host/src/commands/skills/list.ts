import { listSkills, type SkillList } from '@mcp/skills';
import type { CommandInput } from '../../command-line/command.ts';
import { table } from '../../terminal/table.ts';
import { hasSkills } from '../../has-skills.ts';
import { eachServer, exitCodeOf, type ServerResult } from '../../views/each-server.ts';
import { inOrder } from '../../views/in-order.ts';
import { noteWithoutServers } from '../../views/no-servers.ts';
import { sizeText, totalSize } from './files.ts';

const none: SkillList = { skills: [], refused: [] };

/** `mcp skills list`: the skills of the named servers, or of all; reads none of their files. */
export async function list(input: CommandInput): Promise<number> {
  const { positionals, servers, output, signal } = input;
  noteWithoutServers(input);
  const names = positionals.length > 0 ? positionals : servers.names;
  using rows = inOrder<ServerResult<SkillList>>(names, (result) => {
    if (!output.json) print(input, result, positionals.length > 0);
  });
  const results = await eachServer(
    positionals,
    servers,
    (name) =>
      servers.use(name, async (client) => (hasSkills(client) ? listSkills(client, { signal }) : none)),
    rows.add,
  );
  if (output.json) {
    const all = results.map(({ server, value, error }) => [server, value ?? { error: error?.message }]);
    output.value(Object.fromEntries(all));
  }
  return exitCodeOf(results);
}

/** Prints the skills of a server; a server without skills only if the user has named it. */
function print(
  { output }: CommandInput,
  { server, value, error }: ServerResult<SkillList>,
  isNamed: boolean,
): void {
  const { skills, refused } = value ?? none;
  if (!error && skills.length + refused.length === 0 && !isNamed) return;
  output.text(output.styled('bold', server));
  if (error) return output.text(`  ${output.styled('red', error.message)}`);
  if (skills.length + refused.length === 0) return output.text('  no skills');
  const rows = skills.map((skill) => {
    const { frontmatter, resources } = skill;
    const files = resources === 'dynamic' ? 'dynamic' : filesText(resources.length, totalSize(skill));
    return [frontmatter.name, files, frontmatter.description];
  });
  for (const line of table(rows, output.width - 2)) output.text(`  ${line}`);
  for (const { uri, reason } of refused)
    output.text(`  ${output.styled('red', `refused: ${uri || 'an entry without a URI'}: ${reason}`)}`);
}

function filesText(count: number, size: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'}, ${sizeText(size)}`;
}
