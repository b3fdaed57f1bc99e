import type { PieceSink } from '../piece-sink.ts';
import { type Cell, cellJson, type RawText, taggedReal } from '../values/cell-json.ts';
import { assertShortHead, replacement, type ResultLimits, tooLongRow } from '../values/result-limits.ts';

const pieceLength = 64 * 1024;

/** Writes the JSON of a result in pieces. Every row is exact, and all rows have at most `maxBytes` bytes. */
export class ResultJson {
  readonly #limits: ResultLimits;
  readonly #sink: PieceSink;
  #json: string;
  #isEmpty = true;
  #sentBytes = 0;
  /** Whether a piece may contain text that is invalid in the database's encoding. */
  sawReplacement = false;

  /** `head` is the JSON before the rows. */
  constructor(head: string, limits: ResultLimits, sink: PieceSink) {
    assertShortHead(Buffer.byteLength(head), limits);
    this.#json = head;
    this.#limits = limits;
    this.#sink = sink;
  }

  hasReplacement(): boolean {
    return this.sawReplacement || this.#json.includes(replacement);
  }

  add(row: readonly (Cell | RawText)[]): boolean {
    const { maxBytes, tagsReals } = this.#limits;
    const maxCellBytes = Math.min(Math.floor(maxBytes / 4), this.#limits.maxCellBytes ?? maxBytes);
    const before = this.#json;
    let json = this.#isEmpty ? '[' : ',[';
    for (let index = 0; index < row.length; index++) {
      if (index > 0) json += ',';
      const cell = row[index]!;
      json += tagsReals && typeof cell === 'number' ? taggedReal(cell) : cellJson(cell, maxCellBytes);
    }
    this.#json = `${before}${json}]`;
    if (this.#isTooLong()) {
      if (this.#isEmpty) throw tooLongRow(this.#limits);
      this.#json = before;
      return false;
    }
    this.#isEmpty = false;
    if (this.#json.length > pieceLength) this.#sendPiece();
    return true;
  }

  /** Writes the last piece: the remaining rows, then `facts`, the JSON members that follow the rows. */
  end(facts: string): void {
    this.#sink.write(`${this.#json}],${facts}}`);
  }

  #isTooLong(): boolean {
    const { maxBytes } = this.#limits;
    // A UTF-16 code unit has at most three bytes in UTF-8. So bytes must be counted only near the limit.
    return (
      this.#sentBytes + this.#json.length * 3 > maxBytes &&
      this.#sentBytes + Buffer.byteLength(this.#json) > maxBytes
    );
  }

  #sendPiece(): void {
    if (!this.#limits.exact && this.#json.includes(replacement)) {
      this.sawReplacement = true;
      return;
    }
    this.#sentBytes += Buffer.byteLength(this.#json);
    this.#sink.write(this.#json);
    this.#json = '';
  }
}
