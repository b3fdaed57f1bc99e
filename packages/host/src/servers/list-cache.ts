import { join } from 'node:path';
import { isObject } from '@mcp/kit';
import type { ServerEntry } from '../config/entry/server-entry.ts';
import { JsonDirectory } from '../json-directory.ts';
import { fingerprint } from '../trust/fingerprint.ts';
import type { ListItems, ListName } from './lists.ts';

/** A list as a server sent it, and the time when it was received, in milliseconds since 1970. */
export interface CachedList<K extends ListName = ListName> {
  readonly items: readonly ListItems[K][];
  readonly at: number;
}

const maxEntries = 1_000;

/** Maximum number of items in a cached list: writing a longer list would delay the end of a command. */
const maxItems = 10_000;

/**
 * The last lists of each server, stored under a fingerprint of the server's entry, so that a changed entry
 * has no cached lists. Only the user can read the files, because a server may show a list only after a login.
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

  get<K extends ListName>(entry: ServerEntry, kind: K): CachedList<K> | undefined {
    return this.#lists.get(keyOf(entry, kind)) as CachedList<K> | undefined;
  }

  set<K extends ListName>(entry: ServerEntry, kind: K, items: readonly ListItems[K][]): void {
    if (items.length <= maxItems) this.#lists.set(keyOf(entry, kind), { items, at: Date.now() });
  }

  /** Deletes the lists of a server, for example when the user logs out of it. */
  delete(entry: ServerEntry): void {
    for (const kind of ['tools', 'resources', 'resourceTemplates', 'prompts'] as const)
      this.#lists.delete(keyOf(entry, kind));
  }
}

function keyOf(entry: ServerEntry, kind: ListName): string {
  return `${fingerprint(entry)} ${kind}`;
}

function isCachedList(value: unknown): value is CachedList {
  if (!isObject(value) || typeof value['at'] !== 'number' || !Array.isArray(value['items'])) return false;
  if (Number.isNaN(new Date(value['at']).getTime())) return false;
  return value['items'].every((item: unknown) => isObject(item) && typeof item['name'] === 'string');
}
