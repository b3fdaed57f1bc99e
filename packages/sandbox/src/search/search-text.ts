import { closeSync, constants, openSync } from 'node:fs';
import { codeOf, escapeName, quoted } from '@mcp/kit';
import type { AllowedDirectories } from '../access/allowed-directories.ts';
import { CappedList } from '../capped-list.ts';
import { decodeText, hasUtf8Bom, isBinary, isUtf16 } from '../text/text-encoding.ts';
import type { OpenedPath } from '../open/path-opener.ts';
import { bytePathOf, type AnsweredPath } from '../traverse/directory-entries.ts';
import { toPathError } from '../errors.ts';
import { MatchPage, type FoundPage, type MatchPosition, type SearchedFile } from './match-page.ts';
import type { FoundMatches, MatchLimits } from './matching-lines.ts';
import { countLiteral, findLiteral } from './literal-search.ts';
import { PathFilter, type PathFilterOptions, type UnreadablePath } from '../traverse/path-filter.ts';
import { newline } from '../text/slice-lines.ts';
import { TimeSlice } from '../time-slice.ts';
import { answeredPath, walk, type WalkedEntry } from '../traverse/walk.ts';
import { firstWindow, overlapBytes, windows, type Window } from './file-windows.ts';

export interface SearchOptions extends PathFilterOptions {
  /** Whether the text is a regular expression. Default: false. */
  regex?: boolean | undefined;
  ignoreCase?: boolean | undefined;
  /**
   * Whether a match may span several lines: each of them is a matching line, and in a regular expression `.`
   * matches line breaks too. Default: false.
   */
  multiline?: boolean | undefined;
  /** The number of context lines before and after each match. Default: 0. */
  context?: number | undefined;
  /** Count the matching lines of each file instead of returning them. Default: false. */
  countOnly?: boolean | undefined;
  /** Only find the files, without counting their lines. Default: false. */
  filesOnly?: boolean | undefined;
  /** Maximum number of matching lines; with `countOnly` or `filesOnly`, of files. Default: 200. */
  limit?: number | undefined;
  /** The number of characters of lines after which a page ends. Default: 256 Ki. */
  maxLength?: number | undefined;
  /** The value of `next` on the previous page. */
  after?: MatchPosition | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the number of files searched; a long file counts as a fraction until its end. */
  progress?: ((searched: number) => void) | undefined;
}

export interface SearchResult extends FoundPage {
  /** The real path of the searched file or directory. */
  readonly path: string;
  /** The number of searched files, without those that are binary. */
  readonly searched: number;
  /** The number of files that were skipped because they are binary. */
  readonly binary: number;
  /**
   * The number of files that have lines of more than 1 MiB in which a match may not be found, because such a
   * line is searched in parts.
   */
  readonly split: number;
  readonly unreadable: CappedList<UnreadablePath>;
}

/**
 * Finds matching lines in windows (parts of files). Calls `found` for a window at once, or before `rest`
 * resolves.
 */
interface Finder {
  /** Searches a window, which the caller may overwrite once this method has returned or resolved. */
  search(window: Window, limits: MatchLimits, found: FoundMatches): void | Promise<void>;
  rest?(): Promise<void>;
}

const windowBytes = 1024 * 1024;
/**
 * The number of lines before and after a window (a part of a file) in which a match that spans lines may
 * begin or end.
 */
const spanLines = 100;
/** A limit that is larger than the number of lines in any window. */
const allLines = 1_000_000_000;
/** The number of lines that are skipped in one go; then a pause is possible. */
const batchLines = 20_000;
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** Finds the lines that contain a text, in a file or in all files inside a directory. Skips binary files. */
export async function searchText(
  allowed: AllowedDirectories,
  start: OpenedPath,
  text: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  if (text === '') throw new Error('The text to search for is empty');
  const { multiline = false } = options;
  if (!multiline && /[\r\n]/.test(text))
    throw new Error(
      `The text contains a line break, but without multiline each line is searched on its own: ${quoted(text)}`,
    );
  if (!options.regex && !options.ignoreCase && !multiline)
    return new Search(allowed, start, literalFinder(text, options.signal), options, text).run();
  const { RegexSearch } = await import('./regex-search.ts');
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');
  const pattern = options.regex ? text : escaped;
  await using finder = new RegexSearch(pattern, options.ignoreCase ?? false, multiline);
  return await new Search(allowed, start, finder, options, text).run();
}

function literalFinder(text: string, signal: AbortSignal | undefined): Finder {
  const needle = Buffer.from(text);
  const slice = new TimeSlice(signal);
  return {
    async search(window, { shown, counted }, found) {
      const limit = Math.min(counted, Math.max(shown, counted === 1 ? 1 : 0));
      const matches = limit > 0 ? findLiteral(window, needle, limit) : [];
      let count = matches.length;
      if (count === limit && count < counted) {
        const last = matches.at(-1);
        let next: number | undefined = last ? window.bytes.indexOf(newline, last.at) + 1 : window.from;
        // If no line break follows the last match, it is in the last line, so there is nothing more to count.
        if (next === 0 && last) next = undefined;
        while (next !== undefined) {
          if (slice.over) await slice.pause();
          const part = countLiteral(window, needle, next);
          count += part.count;
          next = part.next;
        }
      }
      found(window, matches, count);
    },
  };
}

class Search {
  readonly #allowed: AllowedDirectories;
  readonly #start: OpenedPath;
  readonly #finder: Finder;
  readonly #options: SearchOptions;
  readonly #context: number;
  readonly #page: MatchPage;
  readonly #buffer = Buffer.allocUnsafeSlow(windowBytes);
  readonly #slice: TimeSlice;
  #unreadable = new CappedList<UnreadablePath>();
  readonly #prefix: string;
  /** Whether a match may lie across the parts of a line that is searched in parts. */
  readonly #missesAcross: boolean;
  #searched = 0;
  #binary = 0;
  #split = 0;
  /** The fraction, from 0 to 1, of the current file that has not been searched yet. */
  #unsearchedPart = 0;

  constructor(
    allowed: AllowedDirectories,
    start: OpenedPath,
    finder: Finder,
    options: SearchOptions,
    text: string,
  ) {
    this.#missesAcross = (options.regex ?? false) || Buffer.byteLength(text) > overlapBytes;
    this.#allowed = allowed;
    this.#start = start;
    this.#prefix = allowed.answerPrefix(start.path);
    this.#finder = finder;
    this.#options = options;
    this.#context = options.context ?? 0;
    const { countOnly = false, filesOnly = false, limit = 200, maxLength = 256 * 1024, after } = options;
    const onlyFiles = countOnly || filesOnly;
    this.#page = new MatchPage({ context: this.#context, limit, maxLength, after, onlyFiles });
    this.#slice = new TimeSlice(options.signal, () =>
      options.progress?.(this.#searched - this.#unsearchedPart),
    );
  }

  async run(): Promise<SearchResult> {
    if (this.#start.stats.isDirectory()) await this.#searchDirectory();
    else await this.#searchStart();
    await this.#finder.rest?.();
    return {
      ...this.#page.result(),
      path: this.#start.path,
      searched: this.#searched - this.#binary,
      binary: this.#binary,
      split: this.#split,
      unreadable: this.#unreadable,
    };
  }

  async #searchStart(): Promise<void> {
    const path = this.#allowed.answerPath(this.#start.path);
    const answered = { path, shown: escapeName(path) };
    await this.#searchFile(this.#start.readable(), answered, isGenerated(this.#start));
  }

  async #searchDirectory(): Promise<void> {
    const filter = new PathFilter(this.#allowed, this.#start, this.#options);
    this.#unreadable = filter.unreadablePaths;
    for (const walked of walk(this.#allowed, this.#start, filter)) {
      if (walked.kind === 'file' && filter.matches(walked)) await this.#searchIn(walked);
      if (this.#slice.over) await this.#slice.pause();
    }
  }

  /**
   * Searches a file in an open directory. The path of the directory was verified; a symlink is not followed.
   */
  async #searchIn(walked: WalkedEntry<unknown>): Promise<void> {
    const { directory, name, exact } = walked;
    const answered = answeredPath(this.#prefix, walked);
    let fd: number | undefined;
    try {
      fd = openSync(bytePathOf(directory, name, exact), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      await this.#searchFile(fd, answered, isGenerated(directory));
    } catch (error) {
      this.#skip(answered, error);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** Skips a file that cannot be read, and reports it, unless it was deleted or replaced meanwhile. */
  #skip(answered: AnsweredPath, error: unknown): void {
    if (!(error instanceof Error && 'errno' in error)) throw error;
    const isGone = ['ENOENT', 'ELOOP', 'EISDIR'].includes(codeOf(error) ?? '');
    if (!isGone) this.#report(answered, toPathError(error, answered.path).message);
  }

  #report({ shown }: AnsweredPath, reason: string): void {
    this.#unreadable.push({ path: shown, reason });
  }

  async #searchFile(fd: number, answered: AnsweredPath, generated: boolean): Promise<void> {
    const { window, isWhole } = firstWindow(fd, this.#buffer, generated);
    if (!isWhole && isUtf16(window.bytes)) {
      const path = quoted(answered.path);
      this.#report(answered, `Too large to search as UTF-16 (more than ${windowBytes} bytes): ${path}`);
      return;
    }
    this.#searched++;
    const text = isWhole ? asText(window) : window;
    if (!text || isBinary(text.bytes)) {
      this.#binary++;
      return;
    }
    const file: SearchedFile = { ...answered, found: undefined, count: 0 };
    await (isWhole ? this.#searchWindow(file, text) : this.#searchLong(fd, file));
  }

  async #searchLong(fd: number, file: SearchedFile): Promise<void> {
    let seen = 0;
    let isSplit = false;
    const around = this.#options.multiline ? Math.max(this.#context, spanLines) : this.#context;
    for (const window of windows(fd, this.#buffer, around)) {
      await this.#searchWindow(file, window);
      isSplit ||= window.isPart;
      // Progress counts files, but it is not known in how many windows (parts) a file is searched. So, after
      // each window, 1/2, 1/3, 1/4… of the file is taken to be unsearched.
      this.#unsearchedPart = 1 / (++seen + 1);
      if (this.#slice.over) await this.#slice.pause();
    }
    this.#unsearchedPart = 0;
    if (isSplit && this.#missesAcross) this.#split++;
  }

  async #searchWindow(file: SearchedFile, window: Window): Promise<void> {
    const { filesOnly } = this.#options;
    if (filesOnly && file.count > 0) return;
    const start = this.#page.startOf(file);
    if (start >= window.firstLine) return await this.#searchAfter(file, window, start);
    const limits = { shown: this.#page.roomFor(file), counted: filesOnly ? 1 : allLines };
    await this.#finder.search(window, limits, (where, matches, count) =>
      this.#page.add(file, where, matches, count),
    );
  }

  /** Searches a window whose first lines are on the previous pages. */
  async #searchAfter(file: SearchedFile, window: Window, line: number): Promise<void> {
    const { bytes, from, to, firstLine } = window;
    let offset = 0;
    for (let number = firstLine; number <= line && offset < to; number++) {
      offset = bytes.indexOf(newline, offset) + 1 || to;
      if (number % batchLines === 0 && this.#slice.over) await this.#slice.pause();
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
}

/** Whether the kernel generates the file, or the directory's files, on reading (/proc): the size is 0. */
function isGenerated({ stats }: OpenedPath): boolean {
  return stats.size === 0;
}

/** The whole content of a file as UTF-8 without byte order mark; undefined if it is not text. */
function asText(window: Window): Window | undefined {
  const { bytes } = window;
  if (hasUtf8Bom(bytes)) {
    const text = bytes.subarray(3);
    return { ...window, bytes: text, to: Math.min(window.to, text.length) };
  }
  if (!isUtf16(bytes)) return window;
  const decoded = decodeText(bytes);
  if ('reason' in decoded) return undefined;
  const text = Buffer.from(decoded.text);
  return { bytes: text, firstLine: 1, from: 0, to: text.length, isPart: false };
}
