import { escapeText, hiddenInText } from '@mcp/kit';
import type { SkillEntry } from '@mcp/skills';
import type { CommandInput } from '../../command-line/command.ts';
import { sanitizeLine } from '../../terminal/sanitize.ts';
import { type Contents, filesOf, pathOf, sizeText } from './files.ts';
import type { InstallationPlan } from './installation-plan.ts';
import type { Change } from './installed-files.ts';

export interface ShownSkill {
  readonly server: string;
  readonly skill: SkillEntry;
  readonly contents: Contents;
  /** How the files differ from those that the user accepted; undefined for a skill that is new. */
  readonly changes: readonly Change[] | undefined;
  readonly plan: InstallationPlan;
}

/** Shows all files of a skill, the text of its `SKILL.md`, and what deserves attention. */
export function showSkill({ output }: CommandInput, shown: ShownSkill): void {
  const { server, skill, contents, changes, plan } = shown;
  const { name, description, ...others } = skill.frontmatter;
  output.note(`The skill ${name} of the server ${server} (${skill.uri})`);
  output.note(`  ${sanitizeLine(description)}`);
  for (const [field, value] of Object.entries(others))
    output.note(`  ${sanitizeLine(`${field}: ${JSON.stringify(value)}`)}`);
  if (changes?.length === 0) output.note('Files of your copy are missing; they are written again:', 'yellow');
  else if (changes) output.note('It has changed since you installed it:', 'yellow');
  const kinds = new Map((changes ?? []).map(([kind, path]) => [path, kind]));
  for (const { uri, size, digest } of filesOf(skill)) {
    const path = pathOf(skill, uri);
    const kind = changes ? `${(kinds.get(path) ?? 'same').padEnd(8)} ` : '';
    output.note(`  ${kind}${sanitizeLine(path)}  ${sizeText(size)}  ${digest}`);
  }
  for (const [kind, path] of changes ?? [])
    if (kind === 'removed') output.note(`  removed  ${sanitizeLine(path)}`);
  for (const path of plan.kept) output.note(`  yours    ${sanitizeLine(path)}, which stays as it is`);
  for (const line of cautions(skill, contents)) output.note(`  ${line}`, 'yellow');
  const text = Buffer.from(contents.get('SKILL.md') ?? []).toString();
  output.note(escapeText(text.replaceAll('\r\n', '\n')));
}

/** Files that some hosts read as instructions although their skill is not used. */
const instructions = /^(?:agents|claude|gemini|copilot-instructions)\.md$/i;

/** Files that Windows and some desktops run when they are opened. */
const program = /\.(?:bat|cmd|com|desktop|exe|hta|lnk|msi|ps1|scr|url|vbe|vbs|wsf)$/i;

/** What a person should look at before a model reads the skill. */
function cautions(skill: SkillEntry, contents: Contents): readonly string[] {
  const found: string[] = [];
  if ('allowed-tools' in skill.frontmatter)
    found.push(
      'It asks for tools ("allowed-tools"). mcp grants nothing; a host that reads the directory may.',
    );
  if ('hooks' in skill.frontmatter) found.push('It has "hooks", which a host may run.');
  for (const [path, bytes] of contents)
    for (const caution of cautionsOf(path, Buffer.from(bytes).toString()))
      found.push(`${sanitizeLine(path)} ${caution}.`);
  return found;
}

function cautionsOf(path: string, text: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const hidden = text.match(hiddenInText())?.filter((each) => each !== '\r' && each !== '\uFEFF').length ?? 0;
  const found: string[] = [];
  if (text.startsWith('#!')) found.push('is a script; it is not made executable');
  if (program.test(name)) found.push('is a program on some systems');
  if (instructions.test(name)) found.push('is read by some hosts although the skill is not used');
  if (/^skill\.md$/i.test(name) && path !== 'SKILL.md') found.push('is another skill, in this one');
  if (hidden > 0 && !text.includes('\0')) found.push(`has characters that cannot be seen: ${hidden}`);
  return found;
}
