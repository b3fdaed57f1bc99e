import { closeSync, constants, openSync } from 'node:fs';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { decodeText, isUtf16 } from '../text/text-encoding.ts';
import { displayName, quoted } from '../display-name.ts';
import type { OpenedPath } from '../access/path-opener.ts';
import { answeredPath, pathOf, UndecodableNames, type AnsweredPath } from '../traverse/directory-entries.ts';
import { codeOf, toPathError } from '../errors.ts';
import { MatchingLines, type ShownLine, type Match } from './matching-lines.ts';
import { findLiteral, needleOf, type Needle } from './literal-search.ts';
import type { PrefilterPool } from './prefilter-pool.ts';
import { SearchPrefilter, type PrefilteredFiles } from './prefilter.ts';
import { PathFilter, type PathFilterOptions, type UnreadablePaths } from '../traverse/path-filter.ts';
import { TimeSlice } from '../time-slice.ts';
import { walk } from '../traverse/walk.ts';
import { firstWindow, windows, type Window } from './file-windows.ts';

export interface SearchOptions extends PathFilterOptions {
  /** The text is a regular expression. Default: false. */
  regex?: boolean | undefined;
  ignoreCase?: boolean | undefined;
  /** The number of context lines before and after each match. Default: 0. */
  context?: number | undefined;
  /** Count the matching lines of each file instead of returning them. Default: false. */
  countOnly?: boolean | undefined;
  /** The maximum number of matching lines; with `countOnly`, of files. Default: 200. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of files searched, the last of them perhaps in part. */
  progress?: ((searched: number) => void) | undefined;
}

export interface FileWithMatches extends AnsweredPath {
  /** The number of matching lines found. */
  readonly count: number;
  /** Empty with `countOnly`. */
  readonly lines: readonly ShownLine[];
}

export interface SearchResult {
  /** The real path of the searched file or directory. */
  readonly path: string;
  /** Sorted by path. */
  readonly files: readonly FileWithMatches[];
  /** The number of matching lines found. */
  readonly matches: number;
  /** The number of files with a match; with `countOnly`, also of those beyond the limit. */
  readonly matchingFiles: number;
  /** Whether the limit or the size of the result cut anything. */
  readonly more: boolean;
  readonly searched: number;
  readonly unreadable: UnreadablePaths;
}

interface File extends AnsweredPath {
  /** Its lines, once there is a match. */
  found: MatchingLines | undefined;
  count: number;
}

/** Finds lines in windows, at once or by the time `rest` resolves. */
interface Finder {
  /** Files without these bytes do not match. */
  readonly needle?: Needle;
  /** Searches a window, which may be overwritten as soon as this returns or resolves. */
  search(
    window: Window,
    limit: () => number,
    found: (window: Window, matches: readonly Match[]) => void,
  ): void | Promise<void>;
  rest?(): Promise<void>;
}

const windowBytes = 1024 * 1024;
const maxResultLength = 256 * 1024;
/** More lines than a window can have. */
const allLines = 1_000_000_000;
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** Finds the lines that contain a text, in a file or in all files inside a directory. Skips binary files. */
export async function searchText(
  allowed: AllowedDirectories,
  start: OpenedPath,
  text: string,
  pool: PrefilterPool,
  options: SearchOptions = {},
): Promise<SearchResult> {
  if (text === '') throw new Error('The text to search for is empty');
  if (/[\r\n]/.test(text))
    throw new Error(
      `The text cannot contain a line break, because lines are searched one by one: ${quoted(text)}`,
    );
  if (!options.regex && !options.ignoreCase)
    return new Search(allowed, start, literalFinder(text), pool, options).run();
  const { RegexSearch } = await import('./regex-search.ts');
  const pattern = options.regex ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  await using finder = new RegexSearch(pattern, options.ignoreCase ?? false);
  return await new Search(allowed, start, finder, pool, options).run();
}

function literalFinder(text: string): Finder {
  const needle = needleOf(text);
  return {
    needle,
    search(window, limit, found) {
      const matches = findLiteral(window, needle.bytes, limit());
      if (matches.length > 0) found(window, matches);
    },
  };
}

class Search {
  readonly #allowed: AllowedDirectories;
  readonly #start: OpenedPath;
  readonly #finder: Finder;
  readonly #pool: PrefilterPool;
  readonly #options: SearchOptions;
  readonly #context: number;
  readonly #limit: number;
  readonly #buffer = Buffer.allocUnsafeSlow(windowBytes);
  readonly #files: File[] = [];
  readonly #slice: TimeSlice;
  #unreadable: UnreadablePaths = [];
  readonly #undecodable = new UndecodableNames();
  readonly #prefix: string;
  #matches = 0;
  #bytes = 0;
  #searched = 0;
  /** The part of the last file that is not searched yet. */
  #unsearchedPart = 0;
  #more = false;

  constructor(
    allowed: AllowedDirectories,
    start: OpenedPath,
    finder: Finder,
    pool: PrefilterPool,
    options: SearchOptions,
  ) {
    this.#allowed = allowed;
    this.#start = start;
    this.#prefix = allowed.answerPrefix(start.path);
    this.#finder = finder;
    this.#pool = pool;
    this.#options = options;
    this.#context = options.context ?? 0;
    this.#limit = options.limit ?? 200;
    this.#slice = new TimeSlice(options.signal);
  }

  async run(): Promise<SearchResult> {
    if (this.#start.stats.isDirectory()) await this.#searchDirectory();
    else await this.#searchStart();
    await this.#finder.rest?.();
    const files = this.#files
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .slice(0, this.#options.countOnly ? this.#limit : undefined)
      .map(({ path, shown, found, count }) => ({ path, shown, count, lines: found?.lines ?? [] }));
    return {
      path: this.#start.path,
      files,
      matches: this.#matches,
      matchingFiles: this.#files.length,
      more: this.#more || files.length < this.#files.length,
      searched: this.#searched,
      unreadable: this.#unreadable,
    };
  }

  async #searchStart(): Promise<void> {
    const path = this.#allowed.answerPath(this.#start.path);
    const answered = { path, shown: displayName(path) };
    await this.#searchFile(this.#start.readable(), answered, isGenerated(this.#start));
  }

  async #searchDirectory(): Promise<void> {
    const filter = new PathFilter(this.#allowed, this.#start, this.#options);
    this.#unreadable = filter.unreadablePaths;
    using prefilter = new SearchPrefilter(this.#finder.needle, this.#pool);
    for (const walked of walk(this.#allowed, this.#start, filter)) {
      if (walked.kind === 'file' && filter.matches(walked)) prefilter.add(walked);
      if (!this.#slice.over) continue;
      prefilter.startHelperProcess();
      for await (const batch of prefilter.finished()) await this.#searchFiles(batch);
      if (this.#more) return;
      await this.#pause();
    }
    for await (const batch of prefilter.rest()) await this.#searchFiles(batch);
  }

  /** Searches the files that passed the prefilter. */
  async #searchFiles({ directory, path, names, kept }: PrefilteredFiles): Promise<void> {
    this.#searched += names.length - kept.length;
    const parent = this.#prefix + path;
    for (const index of kept) {
      if (this.#more) return;
      const name = names[index]!;
      const exact = this.#undecodable.take(directory, name, 'file');
      const answered = answeredPath(parent, name, 'file', exact);
      let fd: number | undefined;
      try {
        // In a directory that is open and verified, and never through a symlink.
        fd = openSync(pathOf(directory, name, exact), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
        const searching = this.#searchFile(fd, answered, isGenerated(directory));
        if (searching) await searching;
      } catch (error) {
        this.#skip(answered, error);
      } finally {
        if (fd !== undefined) closeSync(fd);
      }
      if (this.#slice.over) await this.#pause();
    }
  }

  /** Skips a file that cannot be read; reports it unless it is gone. */
  #skip(answered: AnsweredPath, error: unknown): void {
    if (!(error instanceof Error && 'errno' in error)) throw error;
    const isGone = ['ENOENT', 'ELOOP', 'EISDIR'].includes(codeOf(error) ?? '');
    if (!isGone) this.#report(answered, toPathError(error, answered.path).message);
  }

  #report({ shown }: AnsweredPath, reason: string): void {
    if (this.#unreadable.length < 100) this.#unreadable.push({ path: shown, reason });
  }

  /** Searches an open file, synchronously where possible. */
  #searchFile(fd: number, answered: AnsweredPath, generated: boolean): void | Promise<void> {
    const { window, isWhole } = firstWindow(fd, this.#buffer, generated);
    if (!isWhole && isUtf16(window.bytes)) {
      const path = quoted(answered.path);
      this.#report(answered, `Too large to search as UTF-16 (more than ${windowBytes} bytes): ${path}`);
      return undefined;
    }
    this.#searched++;
    const text = isWhole ? asText(window) : window;
    if (!text || isBinary(text)) return undefined;
    const file: File = { ...answered, found: undefined, count: 0 };
    return isWhole ? this.#searchWindow(file, text) : this.#searchLong(fd, file);
  }

  async #searchLong(fd: number, file: File): Promise<void> {
    let seen = 0;
    for (const window of windows(fd, this.#buffer, this.#context)) {
      await this.#searchWindow(file, window);
      if (this.#more) return;
      // Progress counts files, so a long file counts in decreasing parts.
      this.#unsearchedPart = 1 / (++seen + 1);
      if (this.#slice.over) await this.#pause();
    }
    this.#unsearchedPart = 0;
  }

  #searchWindow(file: File, window: Window): void | Promise<void> {
    return this.#finder.search(
      window,
      () => (this.#options.countOnly ? allLines : this.#limit - this.#matches + 1),
      (where, matches) => this.#addMatches(file, where, matches),
    );
  }

  #addMatches(file: File, window: Window, matches: readonly Match[]): void {
    if (this.#more || matches.length === 0) return;
    if (this.#options.countOnly) {
      if (file.count === 0) this.#files.push(file);
      file.count += matches.length;
      this.#matches += matches.length;
      return;
    }
    const left = this.#limit - this.#matches;
    if (left === 0) {
      this.#more = true;
      return;
    }
    if (!file.found) this.#files.push(file);
    file.found ??= new MatchingLines(this.#context);
    const before = file.found.matching;
    this.#bytes += file.found.add(window, matches.slice(0, left), maxResultLength - this.#bytes);
    this.#more = matches.length > left || this.#bytes > maxResultLength;
    this.#matches += file.found.matching - before;
    file.count = file.found.matching;
  }

  async #pause(): Promise<void> {
    this.#options.progress?.(this.#searched - this.#unsearchedPart);
    await this.#slice.pause();
  }
}

/** Whether the kernel generates a file, or the files of a directory, on read, as in /proc: their size is 0. */
function isGenerated({ stats }: OpenedPath): boolean {
  return stats.size === 0;
}

/** A whole file as UTF-8 without byte order mark; undefined where it cannot be decoded. */
function asText(window: Window): Window | undefined {
  const { bytes } = window;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const text = bytes.subarray(3);
    return { ...window, bytes: text, to: Math.min(window.to, text.length) };
  }
  if (!isUtf16(bytes)) return window;
  const decoded = decodeText(bytes);
  if ('reason' in decoded) return undefined;
  const text = Buffer.from(decoded.text);
  return { bytes: text, firstLine: 1, from: 0, to: text.length };
}

/** Whether there is a NUL byte in the first 8 KiB, the test that git and grep use. */
function isBinary({ bytes }: Window): boolean {
  return bytes.subarray(0, 8192).includes(0);
}
