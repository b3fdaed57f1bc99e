import { emitWarning, messageOf } from '@mcp/kit';
import { errorCodes, ResourceNotFound, RpcError } from '@mcp/protocol';
import type { SkillEntry } from '../entry.ts';
import type { DirectoryChild } from '../extension.ts';
import { textOf } from '../text.ts';
import type { Skill } from './define-skill.ts';
import { mimeTypeOf } from './mime-type.ts';
import { type Child, SkillDirectory } from './skill-directory.ts';
import { type SkillWatcher, watchSkill } from './watch-skill.ts';

export interface ServedSkillsOptions {
  readonly pageSize: number;
  readonly onWarning: ((message: string) => void) | undefined;
}

/** Answers the requests for the skills of a server. */
export class ServedSkills {
  /** In the order of their URIs. */
  readonly #skills: readonly SkillDirectory[];
  readonly #pageSize: number;
  readonly #warn: (message: string) => void;

  constructor(skills: readonly Skill[], { pageSize, onWarning = emitWarning }: ServedSkillsOptions) {
    this.#skills = skills.map(({ uri, directory }) => new SkillDirectory(uri, directory)).toSorted(byUri);
    this.#pageSize = pageSize;
    this.#warn = onWarning;
  }

  async list(cursor: string | undefined) {
    const { items, nextCursor } = this.#page(this.#skills, cursor);
    const skills = await this.#entries(items);
    return { skills, ...(nextCursor !== undefined && { nextCursor }) };
  }

  /** The `SKILL.md` of each skill, as a resource. */
  async skillFiles(): Promise<readonly DirectoryChild[]> {
    return (await this.#entries(this.#skills)).map(skillFileOf);
  }

  async get(uri: string): Promise<SkillEntry> {
    const skill = this.#skills.find((each) => each.uri === uri);
    if (!skill) throw invalidParams(`No skill is served at "${uri}"; skills/list has the skills`, uri);
    return (await skill.snapshot()).entry;
  }

  async read(uri: string) {
    for (const skill of this.#around(uri)) {
      const bytes = await skill.read(uri);
      if (!bytes) continue;
      const text = textOf(bytes);
      const mimeType = mimeTypeOf(uri) ?? (text === undefined ? 'application/octet-stream' : 'text/plain');
      return text === undefined ? { uri, mimeType, blob: base64(bytes) } : { uri, mimeType, text };
    }
    throw new ResourceNotFound(uri, `No skill has the file "${uri}"`);
  }

  async readDirectory(uri: string, cursor: string | undefined) {
    for (const skill of this.#around(uri)) {
      const { entry, directories } = await skill.snapshot();
      const children = directories.get(uri);
      if (!children) continue;
      const { items, nextCursor } = this.#page(children, cursor);
      const resources = items.map((child) =>
        child.uri === entry.uri ? skillFileOf(entry) : asResource(child),
      );
      return { resources, ...(nextCursor !== undefined && { nextCursor }) };
    }
    throw invalidParams(`"${uri}" is not a directory of a skill`, uri);
  }

  async watch(watcher: SkillWatcher, uri: string, changed: () => void): Promise<() => void> {
    const [innermost] = this.#around(uri);
    if (!innermost) throw new ResourceNotFound(uri, `No skill is served at "${uri}"`);
    return watchSkill(watcher, innermost, uri, changed);
  }

  /** The skills at or around a URI, the innermost first: a skill may be within another one. */
  #around(uri: string): readonly SkillDirectory[] {
    return this.#skills
      .filter(({ root }) => uri === root || uri.startsWith(`${root}/`))
      .toSorted((a, b) => b.root.length - a.root.length);
  }

  async #entries(skills: readonly SkillDirectory[]): Promise<readonly SkillEntry[]> {
    const entries = await Promise.all(skills.map((skill) => this.#entry(skill)));
    return entries.filter((entry) => entry !== undefined);
  }

  async #entry(skill: SkillDirectory): Promise<SkillEntry | undefined> {
    try {
      return (await skill.snapshot()).entry;
    } catch (error) {
      this.#warn(messageOf(error));
      return undefined;
    }
  }

  /** A page of items in the order of their URIs. The cursor is the last URI, so that it stays valid. */
  #page<T extends { readonly uri: string }>(all: readonly T[], cursor: string | undefined) {
    if (cursor !== undefined && !cursor.startsWith('skill://'))
      throw invalidParams(`Invalid "cursor": "${cursor}"; omit it to start at the first page`, cursor);
    const rest = cursor === undefined ? all : all.filter(({ uri }) => uri > cursor);
    const items = rest.slice(0, this.#pageSize);
    return { items, nextCursor: rest.length > items.length ? items.at(-1)?.uri : undefined };
  }
}

/** The `SKILL.md` of a skill as a resource, which has the name and the description of the skill. */
function skillFileOf({ uri, frontmatter, resources }: SkillEntry): DirectoryChild {
  const { name, description } = frontmatter;
  const size = resources === 'dynamic' ? undefined : resources.find((file) => file.uri === uri)?.size;
  return { uri, name, description, mimeType: 'text/markdown', ...(size !== undefined && { size }) };
}

function asResource({ uri, name, size }: Child): DirectoryChild {
  if (size === undefined) return { uri, name, mimeType: 'inode/directory' };
  const mimeType = mimeTypeOf(name);
  return { uri, name, size, ...(mimeType !== undefined && { mimeType }) };
}

function byUri(a: { readonly uri: string }, b: { readonly uri: string }): number {
  return a.uri < b.uri ? -1 : 1;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function invalidParams(message: string, subject: string): RpcError {
  return new RpcError(errorCodes.invalidParams, message, { uri: subject });
}
