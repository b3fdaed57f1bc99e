import { closeSync, constants, openSync } from 'node:fs';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { CappedList } from '../capped-list.ts';
import { decodeText, isUtf16 } from '../text/text-encoding.ts';
import { displayName, quoted } from '../display-name.ts';
import type { OpenedPath } from '../access/path-opener.ts';
import { answeredPath, pathOf, UndecodableNames, type AnsweredPath } from '../traverse/directory-entries.ts';
import { codeOf, toPathError } from '../errors.ts';
import { MatchPage, type FoundPage, type MatchPosition, type SearchedFile } from './match-page.ts';
import type { FoundMatches, Match, MatchLimits } from './matching-lines.ts';
import { countLiteral, findLiteral, needleOf, type Needle } from './literal-search.ts';
import type { PrefilterPool } from './prefilter-pool.ts';
import { SearchPrefilter, type PrefilteredFiles } from './prefilter.ts';
import { PathFilter, type PathFilterOptions, type UnreadablePath } from '../traverse/path-filter.ts';
import { newline } from '../text/slice-lines.ts';
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
  /** Only find the files, without counting their lines. Default: false. */
  filesOnly?: boolean | undefined;
  /** The maximum number of matching lines; with `countOnly` or `filesOnly`, of files. Default: 200. */
  limit?: number | undefined;
  /** The `next` of the previous page. */
  after?: MatchPosition | undefined;
  signal?: AbortSignal | undefined;
  /** Called from time to time with the number of files searched, the last of them perhaps in part. */
  progress?: ((searched: number) => void) | undefined;
}

export interface SearchResult extends FoundPage {
  /** The real path of the searched file or directory. */
  readonly path: string;
  readonly searched: number;
  readonly unreadable: CappedList<UnreadablePath>;
}

/** Finds lines in windows, immediately or by the time `rest` resolves. */
interface Finder {
  /** Files without these bytes do not match. */
  readonly needle?: Needle;
  /** Searches a window, which may be overwritten as soon as this returns or resolves. */
  search(window: Window, limits: MatchLimits, found: FoundMatches): void | Promise<void>;
  rest?(): Promise<void>;
}

const windowBytes = 1024 * 1024;
/** More lines than a window can have. */
const allLines = 1_000_000_000;
/** Lines that are skipped without a pause. */
const batchLines = 20_000;
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
    return new Search(allowed, start, literalFinder(text, options.signal), pool, options).run();
  const { RegexSearch } = await import('./regex-search.ts');
  const pattern = options.regex ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  await using finder = new RegexSearch(pattern, options.ignoreCase ?? false);
  return await new Search(allowed, start, finder, pool, options).run();
}

function literalFinder(text: string, signal: AbortSignal | undefined): Finder {
  const needle = needleOf(text);
  const slice = new TimeSlice(signal);
  return {
    needle,
    search(window, { shown, counted }, found) {
      const limit = Math.min(counted, Math.max(shown, counted === 1 ? 1 : 0));
      const matches = limit > 0 ? findLiteral(window, needle.bytes, limit) : [];
      if (matches.length < limit || counted <= matches.length) {
        found(window, matches, matches.length);
        return undefined;
      }
      const last = matches.at(-1);
      const next = last ? window.bytes.indexOf(newline, last.at) + 1 : window.from;
      return next === 0 && last
        ? found(window, matches, matches.length)
        : count(window, matches, next, found);
    },
  };

  function count(
    window: Window,
    matches: readonly Match[],
    from: number,
    found: FoundMatches,
  ): void | Promise<void> {
    const { count: first, next } = countLiteral(window, needle.bytes, from);
    if (next === undefined) return found(window, matches, matches.length + first);
    return countRest(window, next).then((rest) => found(window, matches, matches.length + first + rest));
  }

  async function countRest(window: Window, from: number): Promise<number> {
    let total = 0;
    for (let next: number | undefined = from; next !== undefined;) {
      if (slice.over) await slice.pause();
      const part = countLiteral(window, needle.bytes, next);
      total += part.count;
      next = part.next;
    }
    return total;
  }
}

class Search {
  readonly #allowed: AllowedDirectories;
  readonly #start: OpenedPath;
  readonly #finder: Finder;
  readonly #pool: PrefilterPool;
  readonly #options: SearchOptions;
  readonly #context: number;
  readonly #page: MatchPage;
  readonly #buffer = Buffer.allocUnsafeSlow(windowBytes);
  readonly #slice: TimeSlice;
  #unreadable = new CappedList<UnreadablePath>();
  readonly #undecodable = new UndecodableNames();
  readonly #prefix: string;
  #searched = 0;
  /** The part of the last file that is not searched yet. */
  #unsearchedPart = 0;

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
    const { countOnly = false, filesOnly = false, limit = 200, after } = options;
    const onlyFiles = countOnly || filesOnly;
    this.#page = new MatchPage({ context: this.#context, limit, after, onlyFiles });
    this.#slice = new TimeSlice(options.signal);
  }

  async run(): Promise<SearchResult> {
    if (this.#start.stats.isDirectory()) await this.#searchDirectory();
    else await this.#searchStart();
    await this.#finder.rest?.();
    return {
      ...this.#page.result(),
      path: this.#start.path,
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
      await this.#pause();
    }
    for await (const batch of prefilter.rest()) await this.#searchFiles(batch);
  }

  /** Searches the files that passed the prefilter. */
  async #searchFiles({ directory, path, names, kept }: PrefilteredFiles): Promise<void> {
    this.#searched += names.length - kept.length;
    const parent = this.#prefix + path;
    for (const index of kept) {
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
    this.#unreadable.push({ path: shown, reason });
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
    const file: SearchedFile = { ...answered, found: undefined, count: 0 };
    return isWhole ? this.#searchWindow(file, text) : this.#searchLong(fd, file);
  }

  async #searchLong(fd: number, file: SearchedFile): Promise<void> {
    let seen = 0;
    for (const window of windows(fd, this.#buffer, this.#context)) {
      await this.#searchWindow(file, window);
      // Progress counts files, so a long file counts in decreasing parts.
      this.#unsearchedPart = 1 / (++seen + 1);
      if (this.#slice.over) await this.#pause();
    }
    this.#unsearchedPart = 0;
  }

  #searchWindow(file: SearchedFile, window: Window): void | Promise<void> {
    const { filesOnly } = this.#options;
    if (filesOnly && file.count > 0) return undefined;
    const start = this.#page.startOf(file);
    if (start >= window.firstLine) return this.#searchAfter(file, window, start);
    const limits = { shown: this.#page.roomFor(file), counted: filesOnly ? 1 : allLines };
    return this.#finder.search(window, limits, (where, matches, count) =>
      this.#page.add(file, where, matches, count),
    );
  }

  /** Searches a window whose first lines are on the previous pages. */
  async #searchAfter(file: SearchedFile, window: Window, line: number): Promise<void> {
    const { bytes, from, to, firstLine } = window;
    let offset = 0;
    for (let number = firstLine; number <= line && offset < to; number++) {
      offset = bytes.indexOf(newline, offset) + 1 || to;
      if (number % batchLines === 0 && this.#slice.over) await this.#pause();
    }
    const before = { ...window, to: Math.min(to, offset) };
    if (before.to > from)
      await this.#finder.search(before, { shown: 0, counted: allLines }, (_, __, count) =>
        this.#page.addBefore(file, count),
      );
    if (offset >= to) return;
    const limits = { shown: this.#page.roomFor(file), counted: allLines };
    const rest = { ...window, from: Math.max(from, offset) };
    await this.#finder.search(rest, limits, (where, matches, count) =>
      this.#page.add(file, where, matches, count),
    );
  }

  async #pause(): Promise<void> {
    this.#options.progress?.(this.#searched - this.#unsearchedPart);
    await this.#slice.pause();
  }
}

/**
 * Whether the kernel generates a file, or the files of a directory, on read, as in /proc: their size is 0.
 */
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
