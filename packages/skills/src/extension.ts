import { isObject } from '@mcp/kit';
import { defineExtension, jsonSchema } from '@mcp/protocol';

/** How long a client may keep a result, in milliseconds, and whether other users may share it. */
export type Cacheable = { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };

type Page = { readonly nextCursor?: string };

/** A page of skills. The entries are not checked: see `listSkills`. */
export type SkillsPage = Page & Partial<Cacheable> & { readonly skills: readonly unknown[] };

/** A child of a directory: a file, or a directory, whose `mimeType` is `inode/directory`. */
export type DirectoryChild = {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
};

export type DirectoryPage = Page & { readonly resources: readonly DirectoryChild[] };

/**
 * The extension for skills, SEP-2640. Servers declare it by `serveSkills`. Clients need not declare it.
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension
 * @example
 * ```ts
 * import { extensionSettings } from '@mcp/protocol';
 * import { skillsExtension } from '@mcp/skills';
 *
 * const capabilities = { extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } } };
 * extensionSettings(capabilities, skillsExtension)?.['directoryRead']; // true
 * ```
 */
export const skillsExtension = defineExtension({
  id: 'io.modelcontextprotocol/skills',
  requiresClient: false,
  methods: {
    'skills/list': {
      params: params<{ cursor?: string }>([], ['cursor']),
      result: page<SkillsPage>('skills'),
    },
    'skills/get': { params: params<{ uri: string }>(['uri']), result: one() },
    'resources/directory/read': {
      params: params<{ uri: string; cursor?: string }>(['uri'], ['cursor']),
      result: page<DirectoryPage>('resources', checkChild),
    },
  },
});

/** A schema for parameters that are all strings. */
function params<T>(required: readonly string[], optional: readonly string[] = []) {
  const names = [...required, ...optional];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return jsonSchema<T>({ type: 'object', properties, required }, (value) => {
    const given = objectOf(value, 'they');
    const wrong = names.find((name) => {
      const isAbsent = given[name] === undefined && optional.includes(name);
      return !isAbsent && typeof given[name] !== 'string';
    });
    if (wrong !== undefined) throw new Error(`"${wrong}" must be a string`);
    return given as T;
  });
}

/** A schema for a page of items. */
function page<T>(member: 'skills' | 'resources', check: (item: unknown) => void = () => {}) {
  const json = { type: 'object', properties: { [member]: { type: 'array' } }, required: [member] };
  return jsonSchema<T>(json, (value) => {
    const given = objectOf(value, 'it');
    const { [member]: items, nextCursor } = given;
    if (!Array.isArray(items)) throw new Error(`"${member}" must be an array`);
    if (nextCursor !== undefined && typeof nextCursor !== 'string')
      throw new Error('"nextCursor" must be a string');
    items.forEach(check);
    return given as T;
  });
}

function one() {
  const json = { type: 'object', properties: { skill: { type: 'object' } }, required: ['skill'] };
  return jsonSchema<Partial<Cacheable> & { readonly skill: unknown }>(json, (value) => {
    const given = objectOf(value, 'it');
    if (!isObject(given['skill'])) throw new Error('"skill" must be an object');
    return { ...given, skill: given['skill'] };
  });
}

function checkChild(child: unknown): void {
  if (isObject(child) && typeof child['uri'] === 'string' && typeof child['name'] === 'string') return;
  throw new Error('every resource must be an object with "uri" and "name", both strings');
}

function objectOf(value: unknown, subject: string): { readonly [key: string]: unknown } {
  if (isObject(value)) return value;
  throw new Error(`${subject} must be an object`);
}
