import { defineResource, type ServedExtension, serveExtension } from '@mcp/protocol';
import { type Cacheable, skillsExtension } from '../extension.ts';
import type { Skill } from './define-skill.ts';
import type { SkillWatcher } from './watch-skill.ts';

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
  { watcher, cache = noCache, listed = false, pageSize = 20, onWarning }: ServeSkillsOptions = {},
): ServedExtension<object> {
  refuseTwice(skills);
  if (!Number.isInteger(pageSize) || pageSize < 1)
    throw new Error(`\`pageSize\` must be a positive integer, not ${String(pageSize)}`);
  // Loaded by the first request: the start of a server needs only the names.
  const load = async () => {
    const { ServedSkills } = await import('./served-skills.ts');
    return new ServedSkills(skills, { pageSize, onWarning });
  };
  let loading: ReturnType<typeof load> | undefined;
  const loaded = () => (loading ??= load());
  const files = defineResource({
    uri: 'skill://{+path}',
    name: 'Files of skills',
    cache: { ttlMs: cache.ttlMs, scope: cache.cacheScope },
    read: async (_, { uri }) => (await loaded()).read(uri),
    ...(listed && { list: async () => (await loaded()).skillFiles() }),
    ...(watcher && {
      watch: async (_: unknown, changed: () => void, { uri }: { readonly uri: string }) =>
        (await loaded()).watch(watcher, uri, changed),
    }),
  });
  return serveExtension(skillsExtension, {
    settings: { directoryRead: true },
    resources: [files],
    run: {
      'skills/list': async ({ cursor }) => ({ ...(await (await loaded()).list(cursor)), ...cache }),
      'skills/get': async ({ uri }) => ({ skill: await (await loaded()).get(uri), ...cache }),
      'resources/directory/read': async ({ uri, cursor }) => (await loaded()).readDirectory(uri, cursor),
    },
  });
}

function refuseTwice(skills: readonly Skill[]): void {
  const uris = new Set<string>();
  for (const { uri } of skills) {
    if (uris.has(uri)) throw new Error(`Two skills have the URI "${uri}"; give one of them a prefix`);
    uris.add(uri);
  }
}
