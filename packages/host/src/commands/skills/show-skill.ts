import { escapeText, hiddenInText } from '@mcp/kit';
import type { SkillEntry } from '@mcp/skills';
import type { CommandInput } from '../../command-line/command.ts';
import { sanitizeLine } from '../../terminal/sanitize.ts';
import { type Contents, filesOf, pathOf, sizeText } from './files.ts';
import type { Change } from './pins.ts';

export interface ShownSkill {
  readonly server: string;
  readonly skill: SkillEntry;
  readonly contents: Contents;
  /** How the files differ from those that the user accepted; undefined for a skill that is new. */
  readonly changes: readonly Change[] | undefined;
  /** The changes that were made to the files since they were installed. */
  readonly edited: readonly string[];
}

/** Shows all files of a skill, the text of its `SKILL.md`, and what deserves attention. */
export function showSkill({ output }: CommandInput, shown: ShownSkill): void {
  const { server, skill, contents, changes, edited } = shown;
  const { name, description, ...others } = skill.frontmatter;
  output.note(`The skill ${name} of the server ${server} (${skill.uri})`);
  output.note(`  ${sanitizeLine(description)}`);
  for (const [field, value] of Object.entries(others))
    output.note(`  ${sanitizeLine(`${field}: ${JSON.stringify(value)}`)}`);
  if (changes) output.note('It has changed since you installed it:', 'yellow');
  const kinds = new Map((changes ?? []).map(([kind, path]) => [path, kind]));
  for (const { uri, size, digest } of filesOf(skill)) {
    const path = pathOf(skill, uri);
    const kind = changes ? `${(kinds.get(path) ?? 'same').padEnd(8)} ` : '';
    output.note(`  ${kind}${sanitizeLine(path)}  ${sizeText(size)}  ${digest}`);
  }
  for (const [kind, path] of changes ?? [])
    if (kind === 'removed') output.note(`  removed  ${sanitizeLine(path)}`);
  for (const line of edited)
    output.note(`  The change in your copy will be lost: ${sanitizeLine(line)}`, 'yellow');
  for (const line of cautions(skill, contents)) output.note(`  ${line}`, 'yellow');
  const text = Buffer.from(contents.get('SKILL.md') ?? []).toString();
  output.note(escapeText(text.replaceAll('\r\n', '\n')));
}

/** What a person should look at before a model reads the skill. */
function cautions(skill: SkillEntry, contents: Contents): readonly string[] {
  const found: string[] = [];
  if ('allowed-tools' in skill.frontmatter)
    found.push(
      'It asks for tools ("allowed-tools"). mcp grants nothing; a host that reads the directory may.',
    );
  if ('hooks' in skill.frontmatter) found.push('It has "hooks", which a host may run.');
  for (const [path, bytes] of contents) {
    const text = Buffer.from(bytes).toString();
    if (text.startsWith('#!')) found.push(`${sanitizeLine(path)} is a script; it is not made executable.`);
    const hidden = text.match(hiddenInText)?.filter((each) => each !== '\r' && each !== '\uFEFF').length ?? 0;
    if (hidden > 0 && !text.includes('\0'))
      found.push(`${sanitizeLine(path)} has characters that cannot be seen: ${hidden}.`);
  }
  return found;
}
