import { columnsOf, messageOf } from '@mcp/views/model';
import type { Compared } from './model/files.ts';
import { type PatchAnswer, patchOf, type PatchRow } from './model/patch.ts';

type Arguments = { readonly [name: string]: unknown };

/** The diff of which file is read, and how. */
export interface PatchSource {
  readonly of: Compared;
  /** The path, and the former one. */
  readonly paths: readonly string[];
  /** Whether removed lines stand beside added ones. */
  readonly pairs: boolean;
}

const pageRows = 200;
/** Pages that are kept: the last ones that were read. */
const maxPages = 100;

/** The rows of a diff, of which a page is read when it is in sight. */
export class PatchReader {
  readonly #read: (args: Arguments) => Promise<unknown>;
  readonly #changed: () => void;
  #source: PatchSource | undefined;
  readonly #pages = new Map<number, readonly PatchRow[]>();
  #turn = 0;
  #isReading = false;
  #wanted: readonly [from: number, to: number] = [0, 0];
  /** The number of rows that can be shown, also those that are not read yet. */
  count = 0;
  total: number | undefined;
  index = '';
  isBusy = false;
  problem = '';
  note = '';
  /** Increases with each diff whose first page was read. */
  generation = 0;
  /** The columns of the longest line that was read. */
  longest = 0;

  /** `read` calls `read_patch`, and rejects with an `Error` for the user. */
  constructor(read: (args: Arguments) => Promise<unknown>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  get source(): PatchSource | undefined {
    return this.#source;
  }

  row(index: number): PatchRow | undefined {
    return this.#pages.get(Math.floor(index / pageRows))?.[index % pageRows];
  }

  /** Shows nothing. */
  close(): void {
    this.#turn++;
    this.#source = undefined;
    this.#forget();
    this.isBusy = false;
    this.problem = '';
  }

  /** Reads the first page, and counts the rows if there are more. */
  async open(source: PatchSource): Promise<void> {
    const turn = ++this.#turn;
    this.#source = source;
    this.isBusy = true;
    this.problem = this.note = '';
    try {
      const first = await this.#ask({ skip: 0 });
      if (turn !== this.#turn) return;
      this.#begin(first);
      if (first.more) {
        const { total } = await this.#ask({ skip: 0, limit: 1, counts: true });
        if (turn !== this.#turn) return;
        this.total = total;
        this.count = total ?? this.count;
      }
    } catch (error) {
      if (turn === this.#turn) this.problem = messageOf(error);
    }
    if (turn !== this.#turn) return;
    this.isBusy = false;
    this.#changed();
  }

  /** Reads the pages of these rows, one after the other. */
  want(from: number, to: number): void {
    this.#wanted = [from, to];
    if (!this.#isReading && this.#missing() !== undefined) void this.#readWanted();
  }

  async #ask(args: Arguments): Promise<PatchAnswer> {
    return patchOf(await this.#read({ ...this.#source, limit: pageRows, ...args }));
  }

  #begin({ rows, more, index }: PatchAnswer): void {
    this.#forget();
    this.generation++;
    this.index = index;
    this.#keep(0, rows);
    this.count = rows.length + (more ? pageRows : 0);
    this.total = more ? undefined : rows.length;
    this.#changed();
  }

  #forget(): void {
    this.#pages.clear();
    this.count = this.longest = 0;
    this.total = undefined;
    this.index = '';
  }

  #missing(): number | undefined {
    const [from, to] = this.#wanted;
    for (let index = from; index < Math.min(to, this.count); index++) if (!this.row(index)) return index;
    return undefined;
  }

  async #readWanted(): Promise<void> {
    this.#isReading = true;
    for (let missing = this.#missing(); missing !== undefined && this.#source; missing = this.#missing()) {
      const turn = this.#turn;
      const page = Math.floor(missing / pageRows);
      try {
        const { rows, more, index } = await this.#ask({ skip: page * pageRows });
        if (turn !== this.#turn) continue;
        if (index !== this.index || rows.length === 0) {
          await this.open(this.#source);
          this.note = 'The file has changed: its diff was read again';
        } else {
          this.#keep(page, rows);
          if (this.total === undefined)
            this.count = Math.max(this.count, page * pageRows + rows.length + (more ? pageRows : 0));
        }
      } catch (error) {
        if (turn !== this.#turn) continue;
        this.problem = messageOf(error);
        this.#wanted = [0, 0];
      }
      this.#changed();
    }
    this.#isReading = false;
  }

  #keep(page: number, rows: readonly PatchRow[]): void {
    this.#pages.set(page, rows);
    for (const row of rows) this.longest = Math.max(this.longest, columnsOf(row.text), columnsOf(row.added));
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= maxPages) break;
      this.#pages.delete(old);
    }
  }
}
