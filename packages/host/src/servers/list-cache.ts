import { join } from 'node:path';
import type { ServerEntry } from '../config/server-entry.ts';
import { JsonDirectory } from '../json-directory.ts';
import { fingerprint } from '../trust/fingerprint.ts';
import type { ListItems, ListKind } from './lists.ts';

/** A list as a server gave it at a time, in milliseconds since 1970. */
export interface CachedList<K extends ListKind = ListKind> {
  readonly items: readonly ListItems[K][];
  readonly at: number;
}

const maxEntries = 1_000;

/** Larger lists are not kept: writing them would delay a command that has its answer. */
const maxItems = 10_000;

/**
 * The last lists of each server, by the fingerprint of its entry: a server whose configuration
 * has changed, its environment or headers included, has none. Only their user can read the files,
 * so that lists which are private to an authorization stay so.
 */
export class ListCache {
  readonly #lists: JsonDirectory<CachedList>;

  constructor(cacheDirectory: string, warn: (message: string) => void) {
    this.#lists = new JsonDirectory(join(cacheDirectory, 'lists'), {
      isValid: isCachedList,
      warn,
      maxEntries,
    });
  }

  get<K extends ListKind>(entry: ServerEntry, kind: K): CachedList<K> | undefined {
    return this.#lists.get(keyOf(entry, kind)) as CachedList<K> | undefined;
  }

  set<K extends ListKind>(entry: ServerEntry, kind: K, items: readonly ListItems[K][]): void {
    if (items.length <= maxItems) this.#lists.set(keyOf(entry, kind), { items, at: Date.now() });
  }

  /** Forgets the lists of a server, for example with its login. */
  delete(entry: ServerEntry): void {
    for (const kind of ['tools', 'resources', 'resourceTemplates', 'prompts'] as const)
      this.#lists.delete(keyOf(entry, kind));
  }
}

function keyOf(entry: ServerEntry, kind: ListKind): string {
  return `${fingerprint(entry)} ${kind}`;
}

function isCachedList(value: unknown): value is CachedList {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('items' in value)) return false;
  const { at, items } = value;
  const isNamed = (item: unknown) =>
    typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string';
  return typeof at === 'number' && Array.isArray(items) && items.every(isNamed);
}
