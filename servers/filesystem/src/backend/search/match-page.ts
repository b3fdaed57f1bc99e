import type { AnsweredPath } from '../traverse/directory-entries.ts';
import type { Window } from './file-windows.ts';
import { MatchingLines, type Match, type ShownLine } from './matching-lines.ts';

/** The last match of a page. */
export interface MatchPosition {
  readonly path: string;
  readonly line: number;
}

export interface MatchPageOptions {
  /** The number of context lines before and after each match. */
  readonly context: number;
  /** The maximum number of matching lines; without lines, of files. */
  readonly limit: number;
  /** Where the previous page ended. */
  readonly after: MatchPosition | undefined;
  /** Count matching lines instead of keeping them. */
  readonly onlyFiles: boolean;
}

export interface FileWithMatches extends AnsweredPath {
  /** The number of matching lines of the page; without lines, of the file. */
  readonly count: number;
  readonly lines: readonly ShownLine[];
}

export interface FoundPage {
  /** Sorted by path. */
  readonly files: readonly FileWithMatches[];
  /** The number of matching lines, and of files that have one, on all pages. */
  readonly matches: number;
  readonly matchingFiles: number;
  /** The number of matching lines, without lines of files, on the previous pages. */
  readonly before: number;
  /** Where the page ends; undefined on the last one. */
  readonly next: MatchPosition | undefined;
}

/** A file that is being searched, and its matches. */
export interface SearchedFile extends AnsweredPath {
  count: number;
  found: MatchingLines | undefined;
}

/** The size of a page in characters. */
const maxLength = 256 * 1024;

/**
 * Collects the matches of one page in the order of their paths, while files arrive in any order: keeps those that may be
 * on the page, and counts all others.
 */
export class MatchPage {
  readonly #options: MatchPageOptions;
  #files: SearchedFile[] = [];
  #matches = 0;
  #matchingFiles = 0;
  #before = 0;
  #keptLines = 0;
  #keptLength = 0;
  /** Files after this path are not on the page. */
  #end: string | undefined;

  constructor(options: MatchPageOptions) {
    this.#options = options;
  }

  /** Adds matches of a file, all of which are in one window. */
  add(file: SearchedFile, window: Window, matches: readonly Match[]): void {
    if (matches.length === 0) return;
    const isFirst = file.count === 0;
    file.count += matches.length;
    this.#matches += matches.length;
    if (isFirst) this.#matchingFiles++;
    const { onlyFiles, after } = this.#options;
    if (onlyFiles) {
      if (isFirst) this.#files.push(file);
      return;
    }
    if (after && file.path < after.path) {
      this.#before += matches.length;
      return;
    }
    if (this.#end !== undefined && file.path > this.#end) return;
    this.#keep(file, window, matches);
    if (this.#keptLines > 2 * this.#options.limit + 1000 || this.#keptLength > 4 * maxLength) this.#prune();
  }

  result(): FoundPage {
    this.#files.sort(byPath);
    const { matches, matchingFiles } = { matches: this.#matches, matchingFiles: this.#matchingFiles };
    return {
      ...(this.#options.onlyFiles ? this.#pageOfFiles() : this.#pageOfLines()),
      matches,
      matchingFiles,
    };
  }

  #keep(file: SearchedFile, window: Window, matches: readonly Match[]): void {
    const { context, limit, after } = this.#options;
    if (!file.found) {
      const isStart = after?.path === file.path;
      file.found = new MatchingLines({ context, after: isStart ? after.line : 0, limit, maxLength });
      this.#files.push(file);
    }
    const { matching, length, skipped } = file.found;
    file.found.add(window, matches);
    this.#keptLines += file.found.matching - matching;
    this.#keptLength += file.found.length - length;
    this.#before += file.found.skipped - skipped;
  }

  /** Forgets the files that cannot be on the page any more. */
  #prune(): void {
    this.#files.sort(byPath);
    let lines = 0;
    let length = 0;
    const full = this.#files.findIndex(({ found }) => {
      lines += found?.matching ?? 0;
      length += found?.length ?? 0;
      return lines >= this.#options.limit || length > maxLength;
    });
    if (full < 0) return;
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
    for (const { path, shown, found } of this.#files) {
      if (!found || found.matching === 0) continue;
      if (room === 0 || length > maxLength) break;
      const lines = found.first(room);
      const count = Math.min(room, found.matching);
      files.push({ path, shown, count, lines });
      room -= count;
      length += found.length;
      if (count < found.matching || found.hidden > 0) break;
    }
    const before = this.#before;
    const shownMatches = files.reduce((sum, { count }) => sum + count, 0);
    const last = files.at(-1);
    const line = last?.lines.findLast(({ matches }) => matches)?.number ?? 0;
    const isCut = last !== undefined && before + shownMatches < this.#matches;
    return { files, before, next: isCut ? { path: last.path, line } : undefined };
  }
}

function byPath(a: AnsweredPath, b: AnsweredPath): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
