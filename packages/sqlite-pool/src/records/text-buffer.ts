import { Refused } from '../errors.ts';

/** Characters of one record at most: 16 Mi. */
const maxRecordLength = 16 * 1024 * 1024;

/** The text of a file that was read and not yet parsed. */
export class TextBuffer {
  text = '';
  /** Where the next record begins in `text`. */
  at = 0;
  /** The line at which the next record begins. */
  line = 1;
  /** Whether `text` reaches to the end of the file. */
  isLast = false;
  readonly #chunks: Iterator<string>;

  constructor(chunks: Iterable<string>) {
    this.#chunks = chunks[Symbol.iterator]();
  }

  /** Parses a record, and reads on as long as `parse` returns undefined, because its end is missing. */
  parse<Result>(parse: (buffer: this) => Result | undefined): Result | undefined {
    for (;;) {
      const found = parse(this);
      if (found !== undefined || this.isLast) return found;
      this.#readOn();
    }
  }

  /** At least doubles the unread text, so that a long record is not parsed again for each chunk. */
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
