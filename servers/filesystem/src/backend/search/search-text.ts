import { closeSync, constants, openSync } from 'node:fs';
import { basename } from 'node:path';
import type { Boundary } from '../access/allowed-directories.ts';
import { decodeText } from '../text/text-encoding.ts';
import { displayName, quoted } from '../display-name.ts';
import type { Opened } from '../access/path-opener.ts';
import { ExactNames, pathOf } from '../traverse/directory-entries.ts';
import { codeOf, failure } from '../errors.ts';
import { FoundLines, type FoundLine, type Hit } from './matching-lines.ts';
import { literalHits } from './literal-search.ts';
import { needleOf, type Needle } from './needle.ts';
import { Sieve, type Sifted } from './prefilter.ts';
import { Selection, type SelectionOptions, type Unreadable } from '../traverse/path-filter.ts';
import { TimeSlice } from '../time-slice.ts';
import { walk } from '../traverse/walk.ts';
import { firstWindow, windows, type Window } from './file-windows.ts';

export interface SearchOptions extends SelectionOptions {
  /** The text is a regular expression. */
  regex?: boolean | undefined;
  ignoreCase?: boolean | undefined;
  /** How many lines to show before and after each that matches. */
  context?: number | undefined;
  /** At most so many matching lines. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Hears now and then how many files have been searched, the last of them perhaps in part. */
  progress?: ((searched: number) => void) | undefined;
}

export interface FileWithMatches {
  /** From the directory that was searched, with `/` between names. */
  readonly path: string;
  readonly shown: string;
  readonly lines: readonly FoundLine[];
}

export interface SearchResult {
  /** The real path of what was searched. */
  readonly path: string;
  /** Sorted by path. */
  readonly files: readonly FileWithMatches[];
  /** How many lines match. */
  readonly matches: number;
  /** Whether the limit, or the size of the answer, kept something back. */
  readonly more: boolean;
  readonly searched: number;
  readonly unreadable: Unreadable;
}

interface File {
  readonly path: string;
  /** What is to be shown of it, once there is something. */
  found: FoundLines | undefined;
}

/** Finds lines in windows; what is not found at once is found by the time `rest` has resolved. */
interface Finder {
  /** Without it there is nothing to find. */
  readonly needle?: Needle;
  /** Looks into a window that may be overwritten as soon as this has returned, or resolved. */
  look(
    window: Window,
    limit: () => number,
    found: (window: Window, hits: readonly Hit[]) => void,
  ): void | Promise<void>;
  rest?(): Promise<void>;
}

const windowBytes = 1024 * 1024;
const mostText = 256 * 1024;
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** The lines that have a text in them, in a file or in all files beneath a directory. Binary files are left out. */
export async function searchText(
  boundary: Boundary,
  start: Opened,
  text: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  if (text === '') throw new Error('The text to search is empty');
  if (/[\r\n]/.test(text)) throw new Error(`Lines are searched one by one: ${quoted(text)}`);
  if (!options.regex && !options.ignoreCase)
    return new Search(boundary, start, literalFinder(text), options).run();
  const { ExpressionFinder } = await import('./regex-search.ts');
  const pattern = options.regex ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  await using finder = new ExpressionFinder(pattern, options.ignoreCase ?? false);
  return await new Search(boundary, start, finder, options).run();
}

function literalFinder(text: string): Finder {
  const needle = needleOf(text);
  return {
    needle,
    look(window, limit, found) {
      const hits = literalHits(window, needle.bytes, limit());
      if (hits.length > 0) found(window, hits);
    },
  };
}

class Search {
  readonly #boundary: Boundary;
  readonly #start: Opened;
  readonly #finder: Finder;
  readonly #options: SearchOptions;
  readonly #context: number;
  readonly #limit: number;
  readonly #buffer = Buffer.allocUnsafeSlow(windowBytes);
  readonly #files: File[] = [];
  readonly #slice: TimeSlice;
  #unreadable: Unreadable = [];
  readonly #exact = new ExactNames();
  #matches = 0;
  #bytes = 0;
  #searched = 0;
  /** How much of the last of them is not searched yet. */
  #left = 0;
  #more = false;

  constructor(boundary: Boundary, start: Opened, finder: Finder, options: SearchOptions) {
    this.#boundary = boundary;
    this.#start = start;
    this.#finder = finder;
    this.#options = options;
    this.#context = options.context ?? 0;
    this.#limit = options.limit ?? 200;
    this.#slice = new TimeSlice(options.signal);
  }

  async run(): Promise<SearchResult> {
    if (this.#start.stats.isDirectory()) await this.#directory();
    else await this.#file(this.#start.readable(), basename(this.#start.path), isMadeUp(this.#start));
    await this.#finder.rest?.();
    const files = this.#files
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, found }) => ({ path, shown: displayName(path), lines: found?.lines ?? [] }));
    const [matches, more, searched] = [this.#matches, this.#more, this.#searched];
    return { path: this.#start.path, files, matches, more, searched, unreadable: this.#unreadable };
  }

  async #directory(): Promise<void> {
    const selection = new Selection(this.#boundary, this.#start, this.#options);
    this.#unreadable = selection.unreadablePaths;
    using sieve = new Sieve(this.#finder.needle);
    for (const walked of walk(this.#boundary, this.#start, selection)) {
      if (walked.kind === 'file' && selection.chooses(walked)) sieve.add(walked);
      if (!this.#slice.over) continue;
      sieve.getHelp();
      for await (const sifted of sieve.sifted()) await this.#look(sifted);
      if (this.#more) return;
      await this.#pause();
    }
    for await (const sifted of sieve.rest()) await this.#look(sifted);
  }

  /** Looks at the files that may have something in them. */
  async #look({ directory, path, names, kept }: Sifted): Promise<void> {
    this.#searched += names.length - kept.length;
    for (const index of kept) {
      if (this.#more) return;
      const name = names[index]!;
      let fd: number | undefined;
      try {
        fd = this.#open(directory, name);
        const looking = this.#file(fd, path + name, isMadeUp(directory));
        if (looking) await looking;
      } catch (error) {
        this.#leaveOut(path + name, error);
      } finally {
        if (fd !== undefined) closeSync(fd);
      }
      if (this.#slice.over) await this.#pause();
    }
  }

  // Beneath a directory that is open and verified, and never through a link.
  #open(directory: Opened, name: string): number {
    const exact = this.#exact.take(directory, name, 'file');
    return openSync(pathOf(directory, name, exact), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  }

  /** Goes on without a file that the system does not let us read. */
  #leaveOut(path: string, error: unknown): void {
    if (!(error instanceof Error && 'errno' in error)) throw error;
    const isGone = ['ENOENT', 'ELOOP', 'EISDIR'].includes(codeOf(error) ?? '');
    if (!isGone) this.#tell(path, failure(error, path).message);
  }

  #tell(path: string, reason: string): void {
    if (this.#unreadable.length < 100) this.#unreadable.push({ path: displayName(path), reason });
  }

  /** Searches a file; at once, if that is possible. */
  #file(fd: number, path: string, madeUp: boolean): void | Promise<void> {
    const { window, isWhole } = firstWindow(fd, this.#buffer, madeUp);
    if (!isWhole && isUtf16(window)) {
      this.#tell(path, `Too long to be searched as UTF-16 (more than ${windowBytes} bytes): ${quoted(path)}`);
      return undefined;
    }
    this.#searched++;
    const text = isWhole ? asText(window) : window;
    if (!text || isBinary(text)) return undefined;
    const file: File = { path, found: undefined };
    return isWhole ? this.#lookInto(file, text) : this.#long(fd, file);
  }

  async #long(fd: number, file: File): Promise<void> {
    let seen = 0;
    for (const window of windows(fd, this.#buffer, this.#context)) {
      await this.#lookInto(file, window);
      if (this.#more) return;
      // However long it is, it is one file, of which there is less and less to do.
      this.#left = 1 / (++seen + 1);
      if (this.#slice.over) await this.#pause();
    }
    this.#left = 0;
  }

  #lookInto(file: File, window: Window): void | Promise<void> {
    return this.#finder.look(
      window,
      () => this.#limit - this.#matches + 1,
      (where, hits) => this.#take(file, where, hits),
    );
  }

  #take(file: File, window: Window, hits: readonly Hit[]): void {
    if (this.#more || hits.length === 0) return;
    const left = this.#limit - this.#matches;
    if (left === 0) {
      this.#more = true;
      return;
    }
    if (!file.found) this.#files.push(file);
    file.found ??= new FoundLines(this.#context);
    const before = file.found.matching;
    this.#bytes += file.found.add(window, hits.slice(0, left), mostText - this.#bytes);
    this.#more = hits.length > left || this.#bytes > mostText;
    this.#matches += file.found.matching - before;
  }

  async #pause(): Promise<void> {
    this.#options.progress?.(this.#searched - this.#left);
    await this.#slice.pause();
  }
}

/** Whether this, or what is in it, is made up by the kernel as it is read, as in /proc: then it has no size. */
function isMadeUp({ stats }: Opened): boolean {
  return stats.size === 0;
}

/** All of a file as UTF-8 without a mark; nothing where it cannot be made that. */
function asText(window: Window): Window | undefined {
  const { bytes } = window;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const text = bytes.subarray(3);
    return { ...window, bytes: text, to: Math.min(window.to, text.length) };
  }
  if (!isUtf16(window)) return window;
  const decoded = decodeText(bytes);
  if ('reason' in decoded) return undefined;
  const text = Buffer.from(decoded.text);
  return { bytes: text, firstLine: 1, from: 0, to: text.length };
}

function isUtf16({ bytes }: Window): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** As git and grep decide it, by the beginning of a file. */
function isBinary({ bytes }: Window): boolean {
  return bytes.subarray(0, 8192).includes(0);
}
