/** A kind of server to begin with. */
export interface Template {
  readonly name: string;
  readonly language: 'ts' | 'js';
  readonly description: string;
  /** The directory below `templates/`. */
  readonly directory: string;
  /** What the command line of the new server takes, for its configurations. */
  readonly args: readonly string[];
}

export const templates: readonly Template[] = [
  {
    name: 'minimal',
    language: 'ts',
    description: 'a tool, a watched resource and a prompt in under 60 lines',
    directory: 'minimal-ts',
    args: ['items.txt'],
  },
  {
    name: 'minimal',
    language: 'js',
    description: 'the same in JavaScript, without a build',
    directory: 'minimal-js',
    args: ['items.txt'],
  },
  {
    name: 'notes',
    language: 'ts',
    description:
      'a file for each part: notes in a directory, with templates, completion and lists that change',
    directory: 'notes',
    args: ['notes'],
  },
];

/** The template of a name and language. Throws with the known names for another one. */
export function findTemplate(name: string, language: string): Template {
  const found = templates.find((each) => each.name === name && each.language === language);
  if (found) return found;
  const known = templates.map((each) => `${each.name} (${each.language})`).join(', ');
  throw new Error(`Unknown template: "${name}" (${language}); expected one of ${known}`);
}
