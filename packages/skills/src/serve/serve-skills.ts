import { emitWarning, messageOf } from '@mcp/kit';
import {
  defineResource,
  errorCodes,
  ResourceNotFound,
  RpcError,
  type ServedExtension,
  serveExtension,
} from '@mcp/protocol';
import type { SkillEntry } from '../entry.ts';
import { type Cacheable, type DirectoryChild, skillsExtension } from '../extension.ts';
import { textOf } from '../text.ts';
import type { Skill } from './define-skill.ts';
import { mimeTypeOf } from './mime-type.ts';
import type { Child } from './skill-directory.ts';
import { type SkillWatcher, watchSkill } from './watch-skill.ts';

export type ServeSkillsOptions = {
  /** Watches the directories for clients that subscribe to `skill://` URIs. Default: none can subscribe. */
  readonly watcher?: SkillWatcher;
  /**
   * Whether `resources/list` has the `SKILL.md` of each skill, for clients without the extension. Default:
   * false.
   */
  readonly listed?: boolean;
  /** How long clients may keep entries, lists and files. Default: not at all. */
  readonly cache?: Cacheable;
  /** The maximum number of entries in one page. Default: 20. */
  readonly pageSize?: number;
  /** Receives the reason why a skill is not listed. Default: it is a warning of the process. */
  readonly onWarning?: (message: string) => void;
};

const noCache: Cacheable = { ttlMs: 0, cacheScope: 'private' };

/**
 * Serves skills: an element of `extensions` of `defineServer`. Their files are resources that no list has. A
 * skill that cannot be served is not listed; its reason is the error of `skills/get`, and a warning. Throws
 * an `Error` for two skills with one URI.
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension
 */
export function serveSkills(
  skills: readonly Skill[],
  options: ServeSkillsOptions = {},
): ServedExtension<object> {
  const { watcher, cache = noCache, listed = false } = options;
  const served = new ServedSkills(skills, options);
  const files = defineResource({
    uri: 'skill://{+path}',
    name: 'Files of skills',
    cache: { ttlMs: cache.ttlMs, scope: cache.cacheScope },
    read: (_, { uri }) => served.read(uri),
    ...(listed && { list: () => served.skillFiles() }),
    ...(watcher && {
      watch: (_: unknown, changed: () => void, { uri }: { readonly uri: string }) =>
        watchSkill(watcher, served.around(uri).directory, uri, changed),
    }),
  });
  return serveExtension(skillsExtension, {
    settings: { directoryRead: true },
    resources: [files],
    run: {
      'skills/list': async ({ cursor }) => ({ ...(await served.list(cursor)), ...cache }),
      'skills/get': async ({ uri }) => ({ skill: await served.get(uri), ...cache }),
      'resources/directory/read': ({ uri, cursor }) => served.readDirectory(uri, cursor),
    },
  });
}

class ServedSkills {
  readonly #skills: ReadonlyMap<string, Skill>;
  readonly #pageSize: number;
  readonly #warn: (message: string) => void;

  constructor(skills: readonly Skill[], { pageSize = 20, onWarning }: ServeSkillsOptions) {
    const sorted = skills.toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
    this.#skills = new Map(sorted.map((skill) => [skill.uri, skill]));
    const twice = sorted.find(({ uri }, index) => sorted[index - 1]?.uri === uri);
    if (twice) throw new Error(`Two skills have the URI "${twice.uri}"; give one of them a prefix`);
    if (!Number.isInteger(pageSize) || pageSize < 1)
      throw new Error(`\`pageSize\` must be a positive integer, not ${String(pageSize)}`);
    this.#pageSize = pageSize;
    this.#warn = onWarning ?? emitWarning;
  }

  async list(cursor: string | undefined) {
    const { items, nextCursor } = this.#page([...this.#skills.values()], cursor);
    const entries = await Promise.all(items.map((skill) => this.#listed(skill)));
    return {
      skills: entries.filter((entry) => entry !== undefined),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  }

  /** The `SKILL.md` of each skill, as a resource. */
  async skillFiles(): Promise<readonly DirectoryChild[]> {
    const entries = await Promise.all([...this.#skills.values()].map((skill) => this.#listed(skill)));
    return entries.filter((entry) => entry !== undefined).map(skillFileOf);
  }

  async get(uri: string): Promise<SkillEntry> {
    const skill = this.#skills.get(uri);
    if (!skill) throw invalidParams(`No skill is served at "${uri}"; skills/list has the skills`, uri);
    return (await skill.directory.snapshot()).entry;
  }

  async read(uri: string) {
    for (const { directory } of this.#around(uri)) {
      const bytes = await directory.read(uri);
      if (!bytes) continue;
      const text = textOf(bytes);
      const mimeType = mimeTypeOf(uri) ?? (text === undefined ? 'application/octet-stream' : 'text/plain');
      if (text !== undefined) return { uri, mimeType, text };
      return { uri, mimeType, blob: base64(bytes) };
    }
    throw new ResourceNotFound(uri, `No skill has the file "${uri}"`);
  }

  async readDirectory(uri: string, cursor: string | undefined) {
    for (const { directory } of this.#around(uri)) {
      const { entry, directories } = await directory.snapshot();
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

  /** The innermost skill at or around a URI. Throws a `ResourceNotFound` if there is none. */
  around(uri: string): Skill {
    const [innermost] = this.#around(uri);
    if (!innermost) throw new ResourceNotFound(uri, `No skill is served at "${uri}"`);
    return innermost;
  }

  /** The skills at or around a URI, the innermost first: a skill may be within another one. */
  #around(uri: string): readonly Skill[] {
    return [...this.#skills.values()]
      .filter(({ directory: { root } }) => uri === root || uri.startsWith(`${root}/`))
      .toSorted((a, b) => b.uri.length - a.uri.length);
  }

  async #listed({ directory }: Skill): Promise<SkillEntry | undefined> {
    try {
      return (await directory.snapshot()).entry;
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

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function invalidParams(message: string, subject: string): RpcError {
  return new RpcError(errorCodes.invalidParams, message, { uri: subject });
}
