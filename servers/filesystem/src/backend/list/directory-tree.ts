import type { Boundary } from '../access/allowed-directories.ts';
import type { Opened } from '../access/path-opener.ts';
import { entriesOf, entry, ExactNames } from '../traverse/directory-entries.ts';
import { failure } from '../errors.ts';
import { Glob, type GlobState } from '../traverse/glob.ts';
import { alwaysIgnored, Ignored } from '../traverse/ignore-rules.ts';
import { kindOf, type Kind } from '../file-kind.ts';
import { TimeSlice } from '../time-slice.ts';

export interface TreeOptions {
  /** Patterns of what to leave out, directories with all they hold. */
  exclude?: readonly string[] | undefined;
  /** How many levels to show. */
  depth?: number | undefined;
  /** At most so many entries. */
  limit?: number | undefined;
  /** Show `.git`, `node_modules` and what .gitignore files name too. */
  all?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Hears now and then how many entries have been seen. */
  progress?: ((seen: number) => void) | undefined;
}

export interface Node {
  name: string;
  shown: string;
  readonly kind: Kind;
  /** What is in a directory, sorted by name; missing where it is not shown. */
  children?: Node[];
  /** Why the children are not, or not all, there. */
  cut?: 'depth' | 'limit' | 'ignored' | 'unreadable';
  /** How many of its entries are not shown, where that is known. */
  more?: number;
}

export interface Tree {
  /** The real path. */
  readonly path: string;
  readonly root: Node;
  readonly entries: number;
  /** Whether the limit or the depth has kept something back. */
  readonly truncated: boolean;
}

interface Pending {
  readonly node: Node;
  readonly path: string;
  readonly real: string;
  readonly depth: number;
  readonly unwanted: readonly GlobState[];
  readonly ignored: Ignored | undefined;
}

/**
 * Everything beneath a directory, level by level, so that a limit keeps back what is deepest. Links are shown and
 * not followed.
 */
export async function treeOf(
  boundary: Boundary,
  start: Opened,
  { exclude = [], depth = Infinity, limit = 2000, all = false, signal, progress }: TreeOptions = {},
): Promise<Tree> {
  const globs = exclude.map((each) => new Glob(each.replace(/\/+$/, '')));
  const slice = new TimeSlice(signal);
  const root: Node = { name: '', shown: '', kind: 'directory' };
  const pending: Pending[] = [
    {
      node: root,
      path: '',
      real: start.path,
      depth: 0,
      unwanted: globs.map((glob) => glob.start),
      ignored: all ? undefined : Ignored.above(boundary, start),
    },
  ];
  let entries = 0;
  let truncated = false;

  for (let at = 0; at < pending.length; at++) {
    const { node, path, real, unwanted, ...rest } = pending[at]!;
    if (rest.depth >= depth || entries >= limit) {
      node.cut = rest.depth >= depth ? 'depth' : 'limit';
      truncated = true;
      continue;
    }
    let directory: Opened;
    try {
      directory = boundary.openAt(real);
    } catch (error) {
      if (at === 0) throw failure(error, real, 'directory');
      node.cut = 'unreadable';
      continue;
    }
    try {
      const ignored = rest.ignored?.within(directory, path);
      node.children = [];
      const room = Math.max(limit - entries, 0);
      for (const found of entriesOf(directory)) {
        const { name } = found;
        const kind = kindOf(found);
        if (globs.some((glob, index) => glob.step(unwanted[index]!, name).accepting)) continue;
        const hidden = kind === 'directory' && !all && alwaysIgnored.has(name);
        if (!hidden && ignored?.has(path ? `${path}/${name}` : name, name, kind === 'directory')) continue;
        const child: Node = { name, shown: name, kind };
        if (hidden) child.cut = 'ignored';
        node.children.push(child);
        // Sorting all of many at once would take too long for whoever waits.
        if (node.children.length > 2 * room + 1000) keepFirst(node, room);
        if (slice.over) {
          progress?.(entries + node.children.length);
          await slice.pause();
        }
      }
      finish(node, directory, room);
      truncated ||= node.cut === 'limit';
      entries += node.children.length;
      for (const child of node.children) {
        if (child.kind !== 'directory' || child.cut) continue;
        pending.push({
          node: child,
          path: path ? `${path}/${child.name}` : child.name,
          real: real.endsWith('/') ? real + child.name : `${real}/${child.name}`,
          depth: rest.depth + 1,
          unwanted: globs.map((glob, index) => glob.step(unwanted[index]!, `${child.name}/`)),
          ignored,
        });
      }
    } catch (error) {
      if (signal?.aborted || at === 0) throw error;
      node.cut = 'unreadable';
    } finally {
      directory.close();
    }
  }
  return { path: start.path, root, entries, truncated };
}

/** Sorts the children of a directory, keeps as many as there is room for, and makes their names fit to be shown. */
function finish(node: Node, directory: Opened, room: number): void {
  keepFirst(node, room);
  if (node.more) node.cut = 'limit';
  const children = node.children ?? [];
  const exact = new ExactNames();
  for (const child of children) {
    const { name, shown } = entry(child.name, child.kind, exact.take(directory, child.name, child.kind));
    child.name = name;
    child.shown = shown;
  }
}

/** Keeps the first by name, and counts the others. */
function keepFirst(node: Node, room: number): void {
  const children = node.children!.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (children.length <= room) return;
  node.more = (node.more ?? 0) + children.length - room;
  children.length = room;
}
