import type { OutputReader } from '../command.ts';
import { textOf } from '../safe-text.ts';
import { DiffPageReader } from './diff-page-reader.ts';
import { commitFormat, parseCommit, type Commit } from '../commands/history/log.ts';
import type { PageStart, TextPage } from './text-page-reader.ts';

export interface CommitPage {
  readonly commit: Commit;
  readonly diff: TextPage;
}

const maxMessageLength = 256 * 1024;

/** Reads the fields of a commit, each of which ends with a NUL, and the diff that follows. */
export class CommitPageReader implements OutputReader<CommitPage | undefined> {
  readonly #start: PageStart;
  readonly #size: number;
  readonly #rows: boolean;
  #head = Buffer.alloc(0);
  #commit: Commit | undefined;
  #diff: DiffPageReader | undefined;

  /** With `rows`, the page of the diff also has the files as objects. */
  constructor(start: PageStart, size: number, rows = false) {
    this.#start = start;
    this.#size = size;
    this.#rows = rows;
  }

  push(chunk: Buffer): boolean {
    if (this.#diff) return this.#diff.push(chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    // The output for a commit begins with its hash and a NUL. Other output is not read.
    if (this.#head.length > 64 && !/^[0-9a-f]{40,64}\0/.test(this.#head.toString('latin1', 0, 65)))
      return false;
    let end = -1;
    for (let field = 0; field < commitFormat.length; field++) {
      end = this.#head.indexOf(0, end + 1);
      if (end === -1) return true;
    }
    this.#commit = parseCommit(textOf(this.#head.subarray(0, end)), maxMessageLength);
    this.#diff = new DiffPageReader(this.#start, this.#size, {
      used: this.#commit.message.length,
      rows: this.#rows,
    });
    // Git prints a line break before the diff.
    const rest = this.#head.subarray(this.#head[end + 1] === 0x0a ? end + 2 : end + 1);
    return rest.length === 0 || this.#diff.push(rest);
  }

  result(): CommitPage | undefined {
    return this.#commit && this.#diff && { commit: this.#commit, diff: this.#diff.result() };
  }
}
