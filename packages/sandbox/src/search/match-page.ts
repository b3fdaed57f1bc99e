import type { AnsweredPath } from '../traverse/directory-entries.ts';
import type { Window } from './file-windows.ts';
import { MatchingLines, type Match, type ShownLine } from './matching-lines.ts';

/** The position of the last match of a page, from which the next page continues. */
export interface MatchPosition {
  readonly path: string;
  readonly line: number;
}

export interface MatchPageOptions {
  /** The number of context lines before and after each match. */
  readonly context: number;
  /** The maximum number of matching lines on the page; with `onlyFiles`, the maximum number of files. */
  readonly limit: number;
  /** The number of characters after which the page ends. */
  readonly maxLength: number;
  /** The last match of the previous page; undefined for the first page. */
  readonly after: MatchPosition | undefined;
  /** Whether matching lines are only counted, not returned. */
  readonly onlyFiles: boolean;
}

export interface FileWithMatches extends AnsweredPath {
  /** The number of matching lines that this page shows; with `onlyFiles`, the number counted in the file. */
  readonly count: number;
  readonly lines: readonly ShownLine[];
}

export interface FoundPage {
  /** The files of the page, sorted by path. */
  readonly files: readonly FileWithMatches[];
  /** The number of matching lines on all pages; `matchingFiles` is the number of files that contain them. */
  readonly matches: number;
  readonly matchingFiles: number;
  /** The number of matching lines on the previous pages; with `onlyFiles`, the number of files there. */
  readonly before: number;
  /** The last match of this page, after which the next page begins; undefined on the last page. */
  readonly next: MatchPosition | undefined;
}

/** A file that is being searched, and its matches. */
export interface SearchedFile extends AnsweredPath {
  count: number;
  found: MatchingLines | undefined;
}

/**
 * Collects the matches of one page. A page is ordered by path, but files arrive in any order. So matches that
 * may still be on the page are kept, and all others are only counted.
 */
export class MatchPage {
  readonly #options: MatchPageOptions;
  #files: SearchedFile[] = [];
  #matches = 0;
  #matchingFiles = 0;
  #before = 0;
  #keptLines = 0;
  #keptLength = 0;
  /**
   * The last path on a full page: files with later paths are left out. Undefined while the page is not full.
   */
  #end: string | undefined;
  /** Whether files after the end of the page have matches. */
  #isCut = false;

  constructor(options: MatchPageOptions) {
    this.#options = options;
  }

  /** Returns the line of a file after which the page begins; 0 if the page begins before the first line. */
  startOf(file: SearchedFile): number {
    const { after, onlyFiles } = this.#options;
    return !onlyFiles && after?.path === file.path ? after.line : 0;
  }

  /** Returns how many more matching lines of a file the page may show; lines beyond that are only counted. */
  roomFor({ path, found }: SearchedFile): number {
    const { onlyFiles, limit, after } = this.#options;
    const isElsewhere = (after && path < after.path) || (this.#end !== undefined && path > this.#end);
    if (onlyFiles || isElsewhere || found?.isFull) return 0;
    return limit - (found?.matching ?? 0);
  }

  /** Counts matching lines that are on the previous pages. */
  addBefore(file: SearchedFile, count: number): void {
    this.#count(file, count);
    this.#before += count;
  }

  /** Adds the matches of a window: `matches` are the first matches, and `count` is the number of all. */
  add(file: SearchedFile, window: Window, matches: readonly Match[], count: number): void {
    if (count === 0) return;
    const { onlyFiles, after, limit, maxLength } = this.#options;
    if (!onlyFiles && after && file.path < after.path) {
      this.addBefore(file, count);
      return;
    }
    if (onlyFiles && file.count === 0) this.#files.push(file);
    this.#count(file, count);
    if (onlyFiles) return;
    if (this.#end !== undefined && file.path > this.#end) {
      this.#isCut = true;
      return;
    }
    this.#keep(file, window, matches, count);
    if (this.#keptLines > 2 * limit + 1000 || this.#keptLength > 4 * maxLength) this.#prune();
  }

  result(): FoundPage {
    this.#files.sort(byPath);
    const page = this.#options.onlyFiles ? this.#pageOfFiles() : this.#pageOfLines();
    return { ...page, matches: this.#matches, matchingFiles: this.#matchingFiles };
  }

  #count(file: SearchedFile, count: number): void {
    if (file.count === 0) this.#matchingFiles++;
    file.count += count;
    this.#matches += count;
  }

  #keep(file: SearchedFile, window: Window, matches: readonly Match[], count: number): void {
    const { context, limit, maxLength } = this.#options;
    if (!file.found) {
      file.found = new MatchingLines({ context, limit, maxLength });
      this.#files.push(file);
    }
    const { found } = file;
    const { matching, length } = found;
    found.add(window, matches);
    found.hidden += count - matches.length;
    this.#keptLines += found.matching - matching;
    this.#keptLength += found.length - length;
  }

  /** Drops the files that can no longer be on the page, because it is full with files before them. */
  #prune(): void {
    this.#files.sort(byPath);
    let lines = 0;
    let length = 0;
    const full = this.#files.findIndex(({ found }) => {
      lines += found?.matching ?? 0;
      length += found?.length ?? 0;
      return lines >= this.#options.limit || length > this.#options.maxLength;
    });
    if (full < 0) return;
    this.#isCut ||= this.#files.length > full + 1;
    this.#files.length = full + 1;
    this.#end = this.#files[full]!.path;
    this.#keptLines = lines;
    this.#keptLength = length;
  }

  #pageOfFiles(): Pick<FoundPage, 'files' | 'before' | 'next'> {
    const { after, limit } = this.#options;
    const before = after ? this.#files.filter(({ path }) => path <= after.path).length : 0;
    const files = this.#files
      .slice(before, before + limit)
      .map(({ path, shown, count }) => ({ path, shown, count, lines: [] }));
    const last = files.at(-1);
    const isCut = before + files.length < this.#files.length;
    return { files, before, next: isCut && last ? { path: last.path, line: 0 } : undefined };
  }

  #pageOfLines(): Pick<FoundPage, 'files' | 'before' | 'next'> {
    const files: FileWithMatches[] = [];
    let room = this.#options.limit;
    let length = 0;
    let isCut = this.#isCut;
    for (const { path, shown, found } of this.#files) {
      if (!found || found.matching === 0) continue;
      if (room === 0 || length > this.#options.maxLength) {
        isCut = true;
        break;
      }
      const count = Math.min(room, found.matching);
      files.push({ path, shown, count, lines: found.first(room) });
      room -= count;
      length += found.length;
      if (count === found.matching && found.hidden === 0) continue;
      isCut = true;
      break;
    }
    const last = files.at(-1);
    const line = last?.lines.findLast(({ matches }) => matches)?.number ?? 0;
    return { files, before: this.#before, next: isCut && last ? { path: last.path, line } : undefined };
  }
}

function byPath(a: AnsweredPath, b: AnsweredPath): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
