import { isObject, messageOf } from '@mcp/kit';
import type { Frontmatter } from './entry.ts';
import { maxFrontmatterLength } from './limits.ts';

/**
 * Returns the frontmatter of a `SKILL.md`: the YAML between the line `---` at its start and the next one, as
 * JSON. Throws an `Error` without frontmatter, for invalid YAML (version 1.2), for values that JSON does not
 * have, and without the texts `name` and `description`. Loads the package `js-yaml`.
 * @see https://agentskills.io/specification
 * @example
 * ```ts
 * import { parseFrontmatter } from '@mcp/skills';
 *
 * await parseFrontmatter('---\nname: greet\ndescription: Greets.\n---\n# Greet\n');
 * // { name: 'greet', description: 'Greets.' }
 * ```
 */
export async function parseFrontmatter(text: string): Promise<Frontmatter> {
  const found = /^\uFEFF?---[ \t]*\r?\n(?:(.*?)\r?\n)?---[ \t]*(?:\r?\n|$)/s.exec(
    text.slice(0, maxFrontmatterLength),
  );
  if (!found) {
    throw new Error(
      `There is no frontmatter: a SKILL.md starts with a line "---", and another such line ends it within ${maxFrontmatterLength} characters`,
    );
  }
  const fields = await parsed(found[1] ?? '');
  for (const name of ['name', 'description']) {
    const value = fields[name];
    if (typeof value !== 'string' || value.trim() === '')
      throw new Error(`The frontmatter needs "${name}", a text`);
  }
  return fields as Frontmatter;
}

async function parsed(source: string): Promise<{ readonly [field: string]: unknown }> {
  const { load } = await import('js-yaml');
  let value: unknown;
  try {
    value = load(source);
    refuseNoJson(value, { nodes: 0 });
  } catch (error) {
    throw new Error(`The frontmatter is not valid: ${messageOf(error).trimEnd()}`, { cause: error });
  }
  if (isObject(value)) return value;
  throw new Error('The frontmatter must have fields, such as "name: …"');
}

/**
 * Refuses numbers that JSON does not have, and more values than the text can have without aliases, which
 * could stand for any number of values.
 */
function refuseNoJson(value: unknown, count: { nodes: number }): void {
  if (++count.nodes > maxFrontmatterLength) throw new Error('its aliases stand for too many values');
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`JSON has no number ${value}`);
  if (typeof value !== 'object' || value === null) return;
  for (const each of Object.values(value)) refuseNoJson(each, count);
}
