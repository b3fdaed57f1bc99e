import { messageOf } from '@mcp/kit';
import type { CallOptions, Client } from '@mcp/protocol/client';
import { digestOf } from '../digest.ts';
import type { SkillEntry } from '../entry.ts';
import { parseFrontmatter } from '../frontmatter.ts';
import { skillLimits } from '../limits.ts';
import { textOf } from '../text.ts';
import { sameJson } from './same-json.ts';
import { SkillError } from './skill-error.ts';

export type ReadSkillOptions = CallOptions & {
  /** Reads files of skills whose content is `dynamic`, which cannot be verified. Default: false. */
  readonly unverified?: boolean;
};

/**
 * Reads one file of a skill and returns its bytes, which have the size and the digest of the entry. The
 * `SKILL.md` has the frontmatter of the entry, too. Rejects with a `SkillError` if something differs, for a
 * file that the entry does not have, and for a skill with `dynamic` content. If a skill has changed, get its
 * entry again. A digest proves that content and entry belong together; it does not prove that one may trust
 * the server.
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension#integrity-and-verification
 */
export async function readSkillFile(
  client: Client,
  entry: SkillEntry,
  uri: string,
  { unverified = false, ...options }: ReadSkillOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { resources } = entry;
  const file = resources === 'dynamic' ? undefined : resources.find((each) => each.uri === uri);
  if (resources === 'dynamic') refuseUnverified(entry, uri, unverified);
  else if (!file) throw new SkillError('unlisted', uri, `"${uri}" is not a file of the skill "${entry.uri}"`);
  const bytes = await readBytes(client, uri, options);
  const maxSize = file?.size ?? skillLimits.bytes;
  if (file ? bytes.length !== maxSize : bytes.length > maxSize) {
    const expected = file ? `; its entry has ${file.size}` : `; at most ${maxSize} are accepted`;
    throw new SkillError('size', uri, `"${uri}" has ${bytes.length} bytes${expected}`);
  }
  const digest = file && (await digestOf(bytes));
  if (file && digest !== file.digest)
    throw new SkillError('digest', uri, `"${uri}" has the digest ${digest}; its entry has ${file.digest}`);
  if (uri === entry.uri) await compareFrontmatter(entry, bytes);
  return bytes;
}

/** Reads the `SKILL.md` of a skill as text, verified as `readSkillFile` does. */
export async function readSkill(
  client: Client,
  entry: SkillEntry,
  options: ReadSkillOptions = {},
): Promise<string> {
  const bytes = await readSkillFile(client, entry, entry.uri, options);
  return skillText(entry, bytes);
}

function refuseUnverified({ uri: skill }: SkillEntry, uri: string, unverified: boolean): void {
  const root = skill.slice(0, skill.lastIndexOf('/') + 1);
  if (!uri.startsWith(root))
    throw new SkillError('unlisted', uri, `"${uri}" is not a file of the skill "${skill}"`);
  if (unverified) return;
  throw new SkillError(
    'dynamic',
    uri,
    `The content of "${skill}" is dynamic and cannot be verified; pass \`unverified: true\` to read it nevertheless`,
  );
}

async function readBytes(
  client: Client,
  uri: string,
  options: CallOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { contents } = await client.readResource(uri, options);
  const [content, ...others] = contents;
  if (!content || others.length > 0 || content.uri !== uri)
    throw new SkillError('content', uri, `The server did not return exactly the content of "${uri}"`);
  if ('text' in content && typeof content.text === 'string') return new TextEncoder().encode(content.text);
  const { blob } = content as { readonly blob?: unknown };
  try {
    return Uint8Array.from(atob(String(blob)), (character) => character.charCodeAt(0));
  } catch (error) {
    throw new SkillError('content', uri, `The content of "${uri}" is not base64`, { cause: error });
  }
}

async function compareFrontmatter(entry: SkillEntry, bytes: Uint8Array): Promise<void> {
  const { uri, frontmatter } = entry;
  const found = await parseFrontmatter(skillText(entry, bytes)).catch((error: unknown) => {
    throw new SkillError('frontmatter', uri, `"${uri}": ${messageOf(error)}`, { cause: error });
  });
  const names = new Set([...Object.keys(found), ...Object.keys(frontmatter)]);
  const own = (fields: object, name: string) => (Object.hasOwn(fields, name) ? [fields[name as never]] : []);
  const different = [...names].find((name) => !sameJson(own(found, name), own(frontmatter, name)));
  if (different !== undefined)
    throw new SkillError('frontmatter', uri, `"${different}" of "${uri}" is not that of its entry`);
}

function skillText({ uri }: SkillEntry, bytes: Uint8Array): string {
  const text = textOf(bytes);
  if (text === undefined) throw new SkillError('content', uri, `"${uri}" is not text in UTF-8`);
  return text;
}
