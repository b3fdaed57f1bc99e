import type { AllowedDirectories } from '../access/allowed-directories.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { toPathError } from '../errors.ts';
import { byText, FirstItems } from '../first-items.ts';
import { kindOf, type Kind } from '../file-kind.ts';
import { TimeSlice } from '../time-slice.ts';
import { entriesOf, entry, UndecodableNames } from '../traverse/directory-entries.ts';
import { Glob, type GlobState } from '../traverse/glob.ts';
import { alwaysIgnored, IgnoreRules } from '../traverse/ignore-rules.ts';

export interface TreeOptions {
  /** Globs of paths to exclude; an excluded directory is left out with its content. */
  exclude?: readonly string[] | undefined;
  /** The number of levels to show. Default: all. */
  depth?: number | undefined;
  /** The maximum number of entries. Default: 2,000. */
  limit?: number | undefined;
  /**
   * The maximum number of characters of the tree as text, with one line for each entry. Default: unlimited.
   */
  maxLength?: number | undefined;
  /** Include `.git`, `node_modules` and paths that .gitignore files exclude. Default: false. */
  all?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of entries seen. */
  progress?: ((seen: number) => void) | undefined;
}

export interface TreeNode {
  name: string;
  shown: string;
  readonly kind: Kind;
  /** A directory's entries, sorted by name; missing if they are not shown, or if it is no directory. */
  children?: TreeNode[];
  /** Why the children are missing or incomplete. */
  cut?: 'depth' | 'limit' | 'ignored' | 'unreadable';
  /** The number of direct entries that the limit left out; missing if it is 0 or unknown. */
  more?: number;
}

export interface Tree {
  /** The real path of the directory. */
  readonly path: string;
  readonly root: TreeNode;
  readonly entries: number;
  /** Whether `limit` or `depth` left out any entry. */
  readonly truncated: boolean;
  /** Whether `limit` or `maxLength` left out any entry. */
  readonly isCut: boolean;
}

/**
 * The maximum number of characters for a line's entry in addition to name and indentation: a line break, the
 * mark of its kind, and the note that entries were omitted.
 */
const markLength = 20;

/** A directory whose children have not been read yet. */
interface Pending {
  readonly node: TreeNode;
  readonly path: string;
  readonly real: string;
  readonly depth: number;
  readonly excluded: readonly GlobState[];
  readonly ignored: IgnoreRules | undefined;
}

/**
 * Returns the content of a directory as a tree. Reads it level by level, so that the limit leaves out entries
 * of the deepest levels first. Symlinks are shown and not followed.
 */
export function buildTree(
  allowed: AllowedDirectories,
  start: OpenedPath,
  options: TreeOptions = {},
): Promise<Tree> {
  return new TreeBuilder(allowed, options).build(start);
}

class TreeBuilder {
  readonly #allowed: AllowedDirectories;
  readonly #globs: readonly Glob[];
  readonly #depth: number;
  readonly #limit: number;
  readonly #maxLength: number;
  readonly #all: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #slice: TimeSlice;
  /** Directories not read yet, in breadth-first order; reading one appends its subdirectories. */
  readonly #pending: Pending[] = [];
  #entries = 0;
  #seen = 0;
  #truncated = false;
  #isCut = false;
  #length = 0;

  constructor(allowed: AllowedDirectories, options: TreeOptions) {
    const { exclude = [], depth = Infinity, limit = 2000, maxLength = Infinity, all = false } = options;
    const { signal, progress } = options;
    this.#allowed = allowed;
    this.#globs = exclude.map((each) => new Glob(each.replace(/\/+$/, '')));
    this.#depth = depth;
    this.#limit = limit;
    this.#maxLength = maxLength;
    this.#all = all;
    this.#signal = signal;
    this.#slice = new TimeSlice(signal, () => progress?.(this.#seen));
  }

  async build(start: OpenedPath): Promise<Tree> {
    const root: TreeNode = { name: '', shown: '', kind: 'directory' };
    const ignored = this.#all ? undefined : IgnoreRules.fromAncestors(this.#allowed, start);
    const excluded = this.#globs.map((glob) => glob.start);
    this.#pending.push({ node: root, path: '', real: start.path, depth: 0, excluded, ignored });
    for (let at = 0; at < this.#pending.length; at++) await this.#expand(this.#pending[at]!);
    return { path: start.path, root, entries: this.#entries, truncated: this.#truncated, isCut: this.#isCut };
  }

  async #expand(pending: Pending): Promise<void> {
    const { node, depth, real } = pending;
    const isFull = this.#isCut || this.#entries >= this.#limit;
    if (depth >= this.#depth || isFull) {
      node.cut = depth >= this.#depth ? 'depth' : 'limit';
      this.#truncated = true;
      this.#isCut ||= node.cut === 'limit';
      return;
    }
    try {
      using directory = this.#allowed.openAt(real);
      await this.#readChildren(pending, directory);
    } catch (error) {
      if (this.#signal?.aborted) throw error;
      if (depth === 0) throw toPathError(error, real, 'directory');
      node.cut = 'unreadable';
    }
  }

  async #readChildren(pending: Pending, directory: OpenedPath): Promise<void> {
    const { node } = pending;
    const ignored = pending.ignored?.enter(directory, pending.path);
    const first = new FirstItems<TreeNode>(this.#limit - this.#entries, (a, b) => byText(a.name, b.name));
    for (const found of entriesOf(directory)) {
      const child = this.#childOf({ ...pending, ignored }, found.name, kindOf(found));
      if (!child) continue;
      first.push(child);
      this.#seen++;
      if (this.#slice.over) await this.#slice.pause();
    }
    const children = first.sorted();
    escapeNames(children, directory);
    children.splice(this.#fitting(children, pending.depth));
    node.children = children;
    if (first.total > children.length) {
      node.more = first.total - children.length;
      node.cut = 'limit';
      this.#truncated = true;
      this.#isCut = true;
    }
    this.#entries += children.length;
    for (const child of children) this.#enqueue(pending, child, ignored);
  }

  /** Returns how many of these children fit, and counts their characters. */
  #fitting(children: readonly TreeNode[], depth: number): number {
    const over = children.findIndex(({ shown }) => {
      const length = shown.length + depth + markLength;
      if (this.#length + length > this.#maxLength) return true;
      this.#length += length;
      return false;
    });
    return over < 0 ? children.length : over;
  }

  #childOf({ path, excluded, ignored }: Pending, name: string, kind: Kind): TreeNode | undefined {
    if (this.#globs.some((glob, index) => glob.step(excluded[index]!, name).accepting)) return undefined;
    const isDirectory = kind === 'directory';
    if (isDirectory && !this.#all && alwaysIgnored.has(name))
      return { name, shown: name, kind, cut: 'ignored' };
    if (ignored?.ignores(path ? `${path}/${name}` : name, name, isDirectory)) return undefined;
    return { name, shown: name, kind };
  }

  #enqueue({ path, real, depth, excluded }: Pending, child: TreeNode, ignored: IgnoreRules | undefined) {
    if (child.kind !== 'directory' || child.cut) return;
    this.#pending.push({
      node: child,
      path: path ? `${path}/${child.name}` : child.name,
      real: real.endsWith('/') ? real + child.name : `${real}/${child.name}`,
      depth: depth + 1,
      excluded: this.#globs.map((glob, index) => glob.step(excluded[index]!, `${child.name}/`)),
      ignored,
    });
  }
}

function escapeNames(children: readonly TreeNode[], directory: OpenedPath): void {
  const undecodable = new UndecodableNames();
  for (const child of children) {
    const exact = undecodable.take(directory, child.name, child.kind);
    const { name, shown } = entry(child.name, child.kind, exact);
    child.name = name;
    child.shown = shown;
  }
}
