import { columnsOf, messageOf } from '@mcp/views/model';
import { type Lines, linesOf } from './model/lines.ts';

/** Calls a tool of the server. Rejects with an `Error` for the user. */
export type Call = (name: string, args: { readonly [name: string]: unknown }) => Promise<unknown>;

const pageLines = 300;
/** More lines are not kept. */
const maxLines = 100_000;

/** The lines of a file that the user has seen, and again when the file has changed. */
export class LineReader {
  readonly #call: Call;
  readonly #changed: () => void;
  #lines = new Map<number, string>();
  #path = '';
  /** Answers to questions before the last one of another kind are ignored. */
  #turn = 0;
  #isBusy = false;
  #end = 0;
  /** What is known of the file; undefined before the first answer. */
  file: Lines | undefined;
  /** Increases with each file that is opened. */
  generation = 0;
  /** How often the file has changed since it was opened. */
  changes = 0;
  longest = 0;
  problem = '';

  constructor(call: Call, changed: () => void) {
    this.#call = call;
    this.#changed = changed;
  }

  get isOpen(): boolean {
    return this.#path !== '';
  }

  get total(): number | undefined {
    return this.file?.total ?? (this.file?.more ? undefined : this.#end);
  }

  /** The number of rows: one more than the lines that are known, if there are further ones. */
  get count(): number {
    return this.total ?? this.#end + 1;
  }

  line(index: number): string | undefined {
    return this.#lines.get(index);
  }

  /** Opens a file; first, the lines from the index `from` on are read. */
  async open(path: string, from = 0): Promise<void> {
    this.#path = path;
    this.generation++;
    this.changes = 0;
    this.#forget();
    this.file = undefined;
    await this.#read(from, {});
  }

  /** Reads the lines from one index to before another, where they are missing. */
  want(from: number, to: number): void {
    if (this.#isBusy || !this.file || this.problem !== '') return;
    for (let index = from; index < Math.min(to, this.count); index++)
      if (!this.#lines.has(index)) return void this.#read(index, {});
  }

  /** Reads the lines from an index on again, if the file has changed. */
  async refresh(from: number): Promise<void> {
    if (this.#isBusy || !this.isOpen) return;
    // After an error, the file may be there again, and be another one.
    if (this.problem === '') await this.#read(from, { unless: this.file?.version });
    else await this.#read(0, {});
  }

  async #read(from: number, { unless }: { readonly unless?: string | undefined }): Promise<void> {
    const turn = ++this.#turn;
    this.#isBusy = true;
    try {
      const args = { path: this.#path, offset: from + 1, limit: pageLines };
      const read = linesOf(
        await this.#call('read_lines', { ...args, ...(unless !== undefined && { unless }) }),
      );
      if (turn !== this.#turn) return;
      this.problem = '';
      if (read.lines) this.#take(read, read.lines, from);
    } catch (error) {
      if (turn === this.#turn) this.problem = messageOf(error);
    }
    if (turn !== this.#turn) return;
    this.#isBusy = false;
    this.#changed();
  }

  #take(read: Lines, lines: readonly string[], from: number): void {
    const isOther = this.file && read.version !== this.file.version;
    if (isOther) this.changes++;
    if (isOther || this.#lines.size > maxLines) this.#forget();
    for (const [at, line] of lines.entries()) {
      this.#lines.set(from + at, line);
      this.longest = Math.max(this.longest, columnsOf(line));
    }
    this.#end = Math.max(this.#end, from + lines.length);
    // A file that was written meanwhile may have fewer lines than it had.
    this.file = lines.length > 0 ? read : { ...read, total: read.total ?? from, more: false };
  }

  #forget(): void {
    this.#lines = new Map();
    this.#end = 0;
    this.longest = 0;
  }
}
