import { displayName } from '../display-name.ts';
import { nameLikenessTo } from '../name-likeness.ts';
import type { WalkedEntry } from '../traverse/walk.ts';

/** What nearly matched a glob that matches nothing. */
export interface NearMisses {
  /** The number of entries that match the pattern, but not the requested sizes and times. */
  readonly outOfRange: number;
  /** The number of entries that match the pattern, but are of other kinds than requested. */
  readonly otherKinds: number;
  /** Paths similar to the pattern, best first, escaped for printing. */
  readonly similar: readonly string[];
  /** The most frequent extensions of files, for a pattern with an extension. */
  readonly extensions: readonly string[];
}

/** Only the first entries of a walk are kept, so that a search without matches takes no longer. */
const maxEntries = 500;
const maxListed = 3;
const minLikeness = 0.5;

type WalkedPath = Pick<WalkedEntry<unknown>, 'name' | 'path' | 'kind' | 'depth'>;

/** Collects entries that do not match a pattern, and finds those that nearly do. */
export class NearMissCollector {
  outOfRange = 0;
  otherKinds = 0;
  readonly #walked: WalkedPath[] = [];

  add(walked: WalkedEntry<unknown>): void {
    if (this.#walked.length < maxEntries) this.#walked.push(walked);
  }

  /** The near misses of a pattern; paths begin with `prefix`. */
  result(pattern: string, prefix: string): NearMisses {
    const { outOfRange, otherKinds } = this;
    const isFound = outOfRange + otherKinds > 0;
    return {
      outOfRange,
      otherKinds,
      similar: isFound ? [] : this.#similar(pattern).map((path) => displayName(prefix + path)),
      extensions: isFound ? [] : this.#extensions(pattern),
    };
  }

  #similar(pattern: string): string[] {
    const likenesses = new Map<number, ((walked: WalkedPath) => number) | undefined>();
    const likenessOf = (walked: WalkedPath) => {
      const { depth } = walked;
      if (!likenesses.has(depth)) likenesses.set(depth, likenessAt(pattern, depth));
      return likenesses.get(depth)?.(walked) ?? 0;
    };
    return this.#walked
      .map((walked) => ({ path: walked.path, like: likenessOf(walked) }))
      .filter(({ path, like }) => like >= minLikeness && !path.includes('\ufffd'))
      .sort((a, b) => b.like - a.like || (a.path < b.path ? -1 : 1))
      .slice(0, maxListed)
      .map(({ path }) => path);
  }

  #extensions(pattern: string): string[] {
    const last = pattern.slice(pattern.lastIndexOf('/') + 1);
    if (!/\*.*\.[^*]+$/.test(last)) return [];
    const counts = new Map<string, number>();
    for (const { name, kind } of this.#walked) {
      const extension = /[^.](\.\w{1,12})$/.exec(name)?.[1];
      if (kind === 'file' && extension) counts.set(extension, (counts.get(extension) ?? 0) + 1);
    }
    return [...counts]
      .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
      .slice(0, maxListed)
      .map(([extension]) => extension);
  }
}

/**
 * Similarity of entries of one depth: of their paths to as many segments of a pattern with directories,
 * else of their names to its last segment; undefined for a last segment such as `*.ts`, to which its
 * extension says more.
 */
function likenessAt(pattern: string, depth: number): ((walked: WalkedPath) => number) | undefined {
  const segments = pattern.replace(/^\.\//, '').split('/');
  const anyDepth = segments.indexOf('**');
  const anchored = segments.length === 1 ? 0 : anyDepth < 0 ? segments.length : anyDepth;
  if (depth < anchored) {
    const wanted = segments.slice(0, depth + 1).join('/');
    if (depth === segments.length - 1 && segments[depth]!.includes('*')) return undefined;
    const likeness = nameLikenessTo(withoutWildcards(wanted));
    // The directory of the pattern itself is no near miss.
    return ({ path }) => (path === wanted ? 0 : likeness(path));
  }
  const last = segments.at(-1)!;
  if (last.includes('*')) return undefined;
  const likeness = nameLikenessTo(withoutWildcards(last));
  return ({ name }) => likeness(name);
}

function withoutWildcards(pattern: string): string {
  return pattern.replace(/[*?[\]{}\\]/g, '');
}
