import type { Stats } from 'node:fs';
import { join } from 'node:path';
import type { OpenedPath } from '../open/path-opener.ts';

/** A name in an open directory. Disposal closes the directory. An entry of this name need not exist. */
export interface EntryLocation extends Disposable {
  readonly parent: OpenedPath;
  readonly name: string;
  /** The real path of `parent`, followed by `name`. */
  readonly path: string;
}

/** The result of `lstat` on an entry; `stats` is undefined if no entry has this name. */
export interface LocatedEntry extends EntryLocation {
  readonly stats: Stats | undefined;
}

export function entryIn(parent: OpenedPath, name: string): EntryLocation {
  return { parent, name, path: join(parent.path, name), [Symbol.dispose]: () => parent.close() };
}

/** Returns the path through which the operating system reaches an entry. */
export function pathOf({ parent, name }: Pick<EntryLocation, 'parent' | 'name'>): string {
  return join(parent.base, name);
}
