import { escapeName, minSimilarity, similarityTo } from '@mcp/kit';
import type { WalkedEntry } from '../traverse/walk.ts';

/** Describes entries that nearly match a glob which no entry matches. */
export interface NearMisses {
  /** The number of entries that match the pattern, but not the requested sizes and times. */
  readonly outOfRange: number;
  /** The number of entries that match the pattern, but are of a kind that was not requested. */
  readonly otherKinds: number;
  /** Paths similar to the pattern, best first, escaped for printing. */
  readonly similar: readonly string[];
  /** The most frequent extensions of the files seen; empty unless the pattern is like `*.ts`. */
  readonly extensions: readonly string[];
}

/**
 * The maximum number of entries to compare, so that a search without matches takes hardly longer than others.
 */
const maxEntries = 500;
const maxListed = 3;

type WalkedPath = Pick<WalkedEntry<unknown>, 'name' | 'path' | 'kind' | 'depth'>;

/** Collects entries that do not match a pattern, and finds those among them that nearly match. */
export class NearMissCollector {
  outOfRange = 0;
  otherKinds = 0;
  readonly #walked: WalkedPath[] = [];

  add(walked: WalkedEntry<unknown>): void {
    if (this.#walked.length < maxEntries) this.#walked.push(walked);
  }

  /** Returns the near misses of a pattern; their paths begin with `prefix`. */
  result(pattern: string, prefix: string): NearMisses {
    const { outOfRange, otherKinds } = this;
    const isFound = outOfRange + otherKinds > 0;
    return {
      outOfRange,
      otherKinds,
      similar: isFound ? [] : this.#similar(pattern).map((path) => escapeName(prefix + path)),
      extensions: isFound ? [] : this.#extensions(pattern),
    };
  }

  #similar(pattern: string): string[] {
    const similarities = new Map<number, ((walked: WalkedPath) => number) | undefined>();
    const similarityOf = (walked: WalkedPath) => {
      const { depth } = walked;
      if (!similarities.has(depth)) similarities.set(depth, similarityAt(pattern, depth));
      return similarities.get(depth)?.(walked) ?? 0;
    };
    return this.#walked
      .map((walked) => ({ path: walked.path, similar: similarityOf(walked) }))
      .filter(({ path, similar }) => similar >= minSimilarity && !path.includes('\ufffd'))
      .sort((a, b) => b.similar - a.similar || (a.path < b.path ? -1 : 1))
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
 * Returns a function that computes an entry's similarity to the pattern, from 0 to 1. At depths before the
 * first `**` of the pattern, whole paths are compared; deeper, the entry's name with the last part of the
 * pattern. Returns undefined if the last part has a wildcard, as in `*.ts`: no file name is similar to that,
 * so the caller suggests extensions of files instead.
 */
function similarityAt(pattern: string, depth: number): ((walked: WalkedPath) => number) | undefined {
  const segments = pattern.replace(/^\.\//, '').split('/');
  const anyDepth = segments.indexOf('**');
  const anchored = segments.length === 1 ? 0 : anyDepth < 0 ? segments.length : anyDepth;
  if (depth < anchored) {
    const wanted = segments.slice(0, depth + 1).join('/');
    if (depth === segments.length - 1 && segments[depth]!.includes('*')) return undefined;
    if (withoutWildcards(segments[depth]!) === '') return undefined;
    const similarity = similarityTo(withoutWildcards(wanted));
    // A directory that the pattern names correctly is no near miss.
    return ({ path }) => (path === wanted ? 0 : similarity(path));
  }
  const last = segments.at(-1)!;
  if (last.includes('*')) return undefined;
  const similarity = similarityTo(withoutWildcards(last));
  return ({ name }) => similarity(name);
}

function withoutWildcards(pattern: string): string {
  return pattern.replace(/[*?[\]{}\\]/g, '');
}
