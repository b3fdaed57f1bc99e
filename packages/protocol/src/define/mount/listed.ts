import { LiveList } from '../live-list.ts';
import { refuseUndefined } from '../mistakes.ts';
import type { MountedList } from './mounted.ts';

/**
 * A list, or a function that loads it. A list is loaded after the handshake, before the first request that
 * needs it, so that a server answers the handshake before its schemas are built.
 */
export type ListOf<T> = Iterable<T> | (() => Promise<Iterable<T>>);

/**
 * One list of a server, such as its tools: given by its author, or loaded later by a function (`load`). It
 * also has the items of the mounted servers, after those of the server itself.
 */
export class Listed<T> {
  readonly list: LiveList<T>;
  /** Whether the list may change while it is served. */
  readonly live: boolean;
  /** Whether a part of the list is loaded after the handshake. */
  readonly deferred: boolean;
  readonly load: (() => Promise<void>) | undefined;
  /** Throws an `Error` if two items have the same name. */
  readonly refuseTwice: () => void;

  constructor(
    kind: string,
    given: ListOf<T> | undefined,
    mounted: readonly MountedList<T>[],
    key: (item: T) => string,
  ) {
    this.live = given instanceof LiveList || mounted.some(({ live }) => live);
    this.deferred = typeof given === 'function' || mounted.some(({ deferred }) => deferred);
    let own: LiveList<T>;
    if (typeof given === 'function') {
      own = new LiveList<T>();
      this.load = async () => own.replace(checked(kind, await given(), key));
    } else {
      const items = checked(kind, given ?? [], key);
      own = given instanceof LiveList ? given : new LiveList(items);
      this.load = undefined;
    }
    const lists = [own, ...mounted.map(({ list }) => list)];
    this.list = mounted.length === 0 ? own : joined(kind, lists, key);
    this.refuseTwice = () =>
      refuseTwice(
        kind,
        lists.flatMap((list) => [...list].map(key)),
      );
  }
}

/**
 * Returns a list of the current items of several lists, which changes when one of them changes. An item that
 * is added later with the name of another item is left out: the owner of one list cannot know the others.
 */
function joined<T>(kind: string, lists: readonly LiveList<T>[], key: (item: T) => string): LiveList<T> {
  const all = () => lists.flatMap((list) => [...list]);
  const list = new LiveList(checked(kind, all(), key));
  const firstOfEach = () => {
    const found = new Map<string, T>();
    for (const item of all()) if (!found.has(key(item))) found.set(key(item), item);
    return found.values();
  };
  for (const part of lists) part.watch(() => list.replace(firstOfEach()));
  return list;
}

/** The items; throws if one was not made by its `define…` function, or if two have the same name. */
function checked<T>(kind: string, items: Iterable<T>, key: (item: T) => string): readonly T[] {
  const all = [...items];
  for (const item of all) refuseUndefined(kind, item);
  refuseTwice(kind, all.map(key));
  return all;
}

/** Throws if two of the names are the same. */
export function refuseTwice(kind: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new Error(`Duplicate ${kind}: "${name}"`);
    seen.add(name);
  }
}
