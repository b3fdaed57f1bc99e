import { builtin } from '@mcp/kit';
import { isSkillName, nameRuleText, skillFile } from '../skill-uri.ts';

/** A skill that a server serves, as `defineSkill` returns it. */
export interface Skill {
  /** The URI of the `SKILL.md`. */
  readonly uri: string;
  /** The absolute path of its directory. */
  readonly directory: string;
}

export type SkillOptions = {
  /**
   * What comes before the name in the URI, such as `acme/billing`: names of lowercase letters, digits and
   * hyphens with `/` between. Default: nothing.
   */
  readonly prefix?: string;
};

/**
 * Defines a skill: a directory with a `SKILL.md`, whose name is that of the skill and of its frontmatter. Its
 * URI is `skill://<name>/SKILL.md`. The directory is read when a client asks for it, and then each time, so
 * that clients get it as it is. All files in it are served, but names that start with a dot. Links, special
 * files and content beyond `skillLimits` are refused. Needs Node. Throws an `Error` for an invalid name.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { defineSkill, serveSkills } from '@mcp/skills';
 *
 * const greet = defineSkill(new URL('./skills/greet/', import.meta.url));
 * export const server = defineServer({
 *   name: 'greeter',
 *   version: '1.0.0',
 *   extensions: [serveSkills([greet])],
 * });
 * ```
 */
export function defineSkill(directory: string | URL, { prefix }: SkillOptions = {}): Skill {
  const paths = builtin('node:path');
  const path = paths.resolve(
    typeof directory === 'string' ? directory : builtin('node:url').fileURLToPath(directory),
  );
  const name = paths.basename(path);
  const segments = [...(prefix === undefined ? [] : prefix.split('/')), name];
  const wrong = segments.find((segment) => !isSkillName(segment));
  if (wrong !== undefined) {
    const subject = wrong === name ? 'The directory of a skill' : 'Each segment of the prefix of a skill';
    throw new Error(`${subject} must have a name of ${nameRuleText}: ${JSON.stringify(wrong)}`);
  }
  return { uri: `skill://${segments.join('/')}/${skillFile}`, directory: path };
}
