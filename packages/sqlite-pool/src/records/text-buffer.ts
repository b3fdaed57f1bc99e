import { Refused } from '../errors.ts';

/** Maximum number of characters of one record: 16 Mi. */
const maxRecordLength = 16 * 1024 * 1024;

/** The part of a file's text that was read, but not yet parsed. */
export class TextBuffer {
  text = '';
  /** The position in `text` at which the next record begins. */
  at = 0;
  /** The number of the line at which the next record begins. */
  line = 1;
  /** Whether `text` extends to the end of the file. */
  isLast = false;
  readonly #chunks: Iterator<string>;

  constructor(chunks: Iterable<string>) {
    this.#chunks = chunks[Symbol.iterator]();
  }

  /** Calls `parse`, and again with more text while it returns undefined because the record is incomplete. */
  parse<Result>(parse: (buffer: this) => Result | undefined): Result | undefined {
    for (;;) {
      const found = parse(this);
      if (found !== undefined || this.isLast) return found;
      this.#readOn();
    }
  }

  /** Reads at least as much text as is unparsed, so that a long record is not parsed again for each chunk. */
  #readOn(): void {
    const rest = this.text.slice(this.at);
    if (rest.length > maxRecordLength) {
      throw new Refused(`Line ${this.line}: a record is longer than ${maxRecordLength} characters`);
    }
    const chunks = [rest];
    for (let added = 0; added <= rest.length && rest.length + added <= maxRecordLength;) {
      const next = this.#chunks.next();
      if (next.done) {
        this.isLast = true;
        break;
      }
      added += next.value.length;
      chunks.push(next.value);
    }
    this.text = chunks.join('');
    this.at = 0;
  }
}
