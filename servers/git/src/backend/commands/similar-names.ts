import type { Command, OutputReader } from '../command.ts';
import { textOf } from '../display-name.ts';
import { likenessTo } from '../likeness.ts';
import { shortRefName } from './refs.ts';

const maxSimilar = 3;
const minLikeness = 0.5;
/** Of more names, only these are compared. */
const maxCompared = 100_000;

/** The branches, tags or remote branches whose names are most similar; at most 3. */
export function similarRefs(wanted: string, prefixes: readonly string[]): Command<string[]> {
  return {
    args: ['for-each-ref', '--format=%(refname)', ...prefixes],
    reader: () => new SimilarReader(wanted, '\n', shortRefName),
  };
}

/** The same for branches of one remote, without its name. */
export function similarOnRemote(wanted: string, remote: string): Command<string[]> {
  const prefix = `refs/remotes/${remote}/`;
  return {
    args: ['for-each-ref', '--format=%(refname)', prefix],
    reader: () => new SimilarReader(wanted, '\n', (name) => name.slice(prefix.length)),
  };
}

/** The files whose paths or names are most similar: of a revision, or tracked and untracked ones. */
export function similarFiles(wanted: string, revision: string | undefined): Command<string[]> {
  return {
    args:
      revision === undefined
        ? ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
        : ['ls-tree', '-r', '-z', '--name-only', '--full-tree', revision],
    reader: () => new SimilarReader(wanted, '\0'),
  };
}

/** Keeps the names that are most similar to one, of which each ends with `end`. */
class SimilarReader implements OutputReader<string[]> {
  readonly #wanted: string;
  readonly #end: number;
  readonly #shorten: (name: string) => string;
  readonly #likeness: (name: string) => number;
  readonly #found: { readonly name: string; readonly like: number }[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #compared = 0;

  constructor(wanted: string, end: string, shorten = (name: string) => name) {
    this.#wanted = wanted;
    this.#end = end.charCodeAt(0);
    this.#shorten = shorten;
    const whole = likenessTo(wanted);
    const last = likenessTo(lastPart(wanted));
    this.#likeness = (name) => Math.max(whole(name), 0.95 * last(lastPart(name)));
  }

  push(chunk: Buffer): boolean {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(this.#end); end !== -1; end = bytes.indexOf(this.#end, start)) {
      this.#compare(this.#shorten(textOf(bytes.subarray(start, end))));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    return this.#compared < maxCompared;
  }

  result(): string[] {
    return this.#found.map(({ name }) => name);
  }

  #compare(name: string): void {
    this.#compared++;
    const like = this.#likeness(name);
    const least = this.#found.length < maxSimilar ? minLikeness : this.#found.at(-1)!.like;
    if (like < minLikeness || like < least || name === this.#wanted) return;
    if (this.#found.some((each) => each.name === name)) return;
    this.#found.push({ name, like });
    this.#found.sort((one, other) => other.like - one.like).splice(maxSimilar);
  }
}

/** The last of the parts that slashes separate. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
