import { isObject, messageOf } from '@mcp/kit';
import type { CallOptions, Client } from '@mcp/protocol/client';
import { checkEntry } from '../check-entry.ts';
import type { SkillEntry } from '../entry.ts';
import { type DirectoryChild, skillsExtension } from '../extension.ts';
import { SkillError } from './skill-error.ts';

/** An entry that a client must not use, and the reason. */
export type RefusedEntry = { readonly uri: string; readonly reason: string };

export type SkillList = {
  readonly skills: readonly SkillEntry[];
  readonly refused: readonly RefusedEntry[];
};

/** The maximum number of pages of a list that are read. */
export const maxSkillPages = 100;

/**
 * Returns the skills that a server lists, from all pages, with the entries that are invalid or beyond
 * `skillLimits` apart. Reads no file. A list may be incomplete: see `getSkill`. Rejects if the server does
 * not declare the extension, and with a `SkillError` for more than 100 pages or a repeated cursor.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { connect } from '@mcp/protocol/testing';
 * import { listSkills, serveSkills } from '@mcp/skills';
 *
 * const server = defineServer({ name: 'notes', version: '1.0.0', extensions: [serveSkills([])] });
 * await using client = await connect(server);
 * (await listSkills(client)).skills; // []
 * ```
 */
export async function listSkills(client: Client, options: CallOptions = {}): Promise<SkillList> {
  const skills = new Map<string, SkillEntry>();
  const refused: RefusedEntry[] = [];
  const pages = eachPage('skills/list', (cursor) =>
    client.callExtension(skillsExtension, 'skills/list', cursor, options),
  );
  for await (const page of pages) {
    for (const given of page.skills) {
      try {
        const entry = checkEntry(given);
        if (skills.has(entry.uri)) throw new Error('another entry has the same "uri"');
        skills.set(entry.uri, entry);
      } catch (error) {
        const uri = isObject(given) ? given['uri'] : undefined;
        refused.push({ uri: typeof uri === 'string' ? uri : '', reason: messageOf(error) });
      }
    }
  }
  return { skills: [...skills.values()], refused };
}

/**
 * Returns the current entry of a skill, also of one that is not listed. Reads no file. Rejects if the server
 * does not serve the skill, and with a `SkillError` for an entry that is invalid or beyond `skillLimits`.
 */
export async function getSkill(client: Client, uri: string, options: CallOptions = {}): Promise<SkillEntry> {
  const { skill } = await client.callExtension(skillsExtension, 'skills/get', { uri }, options);
  let entry: SkillEntry;
  try {
    entry = checkEntry(skill);
  } catch (error) {
    throw new SkillError('entry', uri, `The entry of "${uri}" is refused: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (entry.uri === uri) return entry;
  throw new SkillError('entry', uri, `The server returned the skill "${entry.uri}" for "${uri}"`);
}

/**
 * Returns the current children of a directory, from all pages. They are no part of an entry: read only files
 * that an entry has. Rejects if the server does not declare `directoryRead`.
 */
export async function readSkillDirectory(
  client: Client,
  uri: string,
  options: CallOptions = {},
): Promise<readonly DirectoryChild[]> {
  const { extensions } = client.capabilities;
  const settings = isObject(extensions) ? extensions[skillsExtension.id] : undefined;
  if (isObject(settings) && settings['directoryRead'] !== true)
    throw new Error('The server does not declare "directoryRead", so that it reads no directories');
  const children: DirectoryChild[] = [];
  const method = 'resources/directory/read';
  const pages = eachPage(method, (cursor) =>
    client.callExtension(skillsExtension, method, { uri, ...cursor }, options),
  );
  for await (const { resources } of pages) children.push(...resources);
  return children;
}

async function* eachPage<Page extends { readonly nextCursor?: string }>(
  method: string,
  read: (params: { cursor?: string }) => Promise<Page>,
): AsyncGenerator<Page> {
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor === undefined ? {} : { cursor });
    yield page;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
    if (cursors.has(cursor) || cursors.size + 1 >= maxSkillPages) {
      const reason = cursors.has(cursor) ? 'a cursor twice' : `more than ${maxSkillPages} pages`;
      throw new SkillError('entry', '', `The server returned ${reason} for ${method}`);
    }
    cursors.add(cursor);
  }
}
