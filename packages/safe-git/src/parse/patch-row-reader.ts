import type { OutputReader } from '../command.ts';
import { textOf } from '../safe-text.ts';

/**
 * A row of a patch. Kinds: ` ` an unchanged line, `-` a removed one, `+` an added one, `|` a removed line
 * beside the added one, `@` the header of a hunk, `\` a note about the line before, `#` a header of a file.
 */
export type PatchRow = readonly [
  kind: ' ' | '-' | '+' | '|' | '@' | '\\' | '#',
  /** The number of the line in the old and in the new text, from 1; 0 if it is not there. */
  oldLine: number,
  newLine: number,
  /** The line without its sign, at most 2,000 bytes of it. */
  text: string,
  /** The added line of `|`. */
  added?: string,
];

/** A part of the rows of a patch. Texts are as git has them, unescaped. */
export interface PatchRows {
  readonly rows: readonly PatchRow[];
  /** Whether there are rows after these. */
  readonly more: boolean;
  /** The number of all rows, if it was requested; undefined for a patch of more than 256 MiB. */
  readonly total?: number;
  /** The hashes of the old and the new content, `a1b2…..c3d4…`; they show that the file has changed. */
  readonly index?: string;
}

export interface PatchRowsPage {
  /** How many rows to leave out. */
  readonly skip: number;
  readonly limit: number;
  /** Whether removed lines stand beside the added ones, as rows of the kind `|`. */
  readonly pairs?: boolean | undefined;
  /** Whether the whole patch is read to count its rows. */
  readonly counts?: boolean | undefined;
}

const maxLineBytes = 2_000;
const maxCountedBytes = 256 * 1024 * 1024;
/** Removed lines that wait for an added one beside them. */
const maxWaiting = 10_000;

/** The header lines of a file that are rows. */
const shownHeader =
  /^(?:(?:old|new|deleted file|new file) mode |(?:rename|copy) (?:from|to) |Binary files |\* Unmerged path )/;

/** Reads git's output of a patch of one file. Keeps one page of its rows in memory, and then stops git. */
export class PatchRowReader implements OutputReader<PatchRows> {
  readonly #page: PatchRowsPage;
  readonly #end: number;
  readonly #rows: PatchRow[] = [];
  #count = 0;
  #bytes = 0;
  #isWhole = true;
  #index: string | undefined;
  /** The beginning of the line that is being read, and whether it is longer. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  #isCut = false;
  /** How many signs a line has: 0 in the headers of a file, 1 in a hunk, more in a conflict. */
  #signs = 0;
  #old = 0;
  #new = 0;
  #removed: (readonly [line: number, text: string])[] = [];
  #notes: string[] = [];

  constructor(page: PatchRowsPage) {
    this.#page = page;
    this.#end = page.skip + page.limit;
  }

  push(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    let at = 0;
    while (at < chunk.length) {
      const end = chunk.indexOf(10, at);
      this.#keep(chunk.subarray(at, end === -1 ? chunk.length : end));
      if (end === -1) return true;
      this.#endLine();
      at = end + 1;
      const isEnough = this.#count > this.#end && (!this.#page.counts || this.#bytes > maxCountedBytes);
      if (isEnough) return (this.#isWhole = false);
    }
    return true;
  }

  result(): PatchRows {
    if (this.#partBytes > 0) this.#endLine();
    this.#flush();
    return {
      rows: this.#rows,
      more: this.#count > this.#end,
      ...(this.#page.counts && this.#isWhole && { total: this.#count }),
      ...(this.#index !== undefined && { index: this.#index }),
    };
  }

  #keep(part: Buffer): void {
    const room = maxLineBytes - this.#partBytes;
    if (part.length > room) this.#isCut = true;
    if (room <= 0) return;
    this.#parts.push(part.length > room ? part.subarray(0, room) : part);
    this.#partBytes += Math.min(part.length, room);
  }

  #endLine(): void {
    const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    const shown = this.#isCut ? whole(line) : line;
    const isContent =
      this.#signs > 0 && (line.length === 0 || ' +-\\'.includes(String.fromCharCode(line[0]!)));
    // Only the text of rows that may be on the page is needed; a pair is added later than its removed line.
    const isNear = this.#count <= this.#end && (this.#page.pairs || this.#count >= this.#page.skip);
    const text = isNear || !isContent ? `${textOf(shown)}${this.#isCut ? '…' : ''}` : '';
    if (isContent) this.#content(line, text);
    else this.#header(text);
    this.#parts = [];
    this.#partBytes = 0;
    this.#isCut = false;
  }

  #header(text: string): void {
    const [, ats, from, to] = /^(@@+) -(\d+).* \+(\d+)(?:,\d+)? @@/.exec(text) ?? [];
    this.#flush();
    if (ats !== undefined) {
      this.#signs = ats.length - 1;
      [this.#old, this.#new] = [Number(from), Number(to)];
      return this.#add(['@', this.#old, this.#new, text]);
    }
    this.#signs = 0;
    const [, index] = /^index ([\da-f,]+\.\.[\da-f]+)/.exec(text) ?? [];
    this.#index ??= index;
    if (shownHeader.test(text)) this.#add(['#', 0, 0, text]);
  }

  #content(line: Buffer, text: string): void {
    const signs = line.toString('latin1', 0, this.#signs);
    const shown = text.slice(this.#signs);
    if (signs.startsWith('\\')) {
      this.#notes.push(text);
      if (this.#removed.length === 0) this.#flush();
    } else if (signs.includes('+')) {
      const beside = this.#removed.shift();
      if (beside) this.#add(['|', beside[0], this.#new++, beside[1], shown]);
      else this.#add(['+', 0, this.#new++, shown]);
    } else if (signs.includes('-')) {
      if (!this.#page.pairs || this.#signs > 1) return this.#add(['-', this.#old++, 0, shown]);
      this.#removed.push([this.#old++, shown]);
      if (this.#removed.length > maxWaiting) this.#flush();
    } else {
      this.#flush();
      this.#add([' ', this.#old++, this.#new++, shown]);
    }
  }

  /** Adds the removed lines that have no added one beside them, and the notes. */
  #flush(): void {
    for (const [line, text] of this.#removed) this.#add(['-', line, 0, text]);
    for (const note of this.#notes) this.#add(['\\', 0, 0, note]);
    this.#removed = [];
    this.#notes = [];
  }

  #add(row: PatchRow): void {
    if (this.#count >= this.#page.skip && this.#count < this.#end) this.#rows.push(row);
    this.#count++;
  }
}

/** The bytes without a character that is cut at their end. */
function whole(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 4 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  return end > 0 && bytes[end - 1]! >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}
