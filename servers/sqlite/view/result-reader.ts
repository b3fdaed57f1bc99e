import type { Answer, Column } from './model/answer.ts';
import { answerOf } from './model/answer.ts';
import type { Cell } from './model/cell.ts';
import type { Filter, Sort } from './model/filters.ts';

type Arguments = { readonly [name: string]: unknown };

interface Refinement {
  readonly filters: readonly Filter[];
  readonly sort: Sort | undefined;
}

/** Calls `read_result`. Rejects with an `Error` for the user. */
export type ReadResult = (args: Arguments) => Promise<unknown>;

const pageRows = 200;
/** Pages that are kept: the first, and the last ones that were read. */
const maxPages = 100;
/** A table of more rows would be higher than browsers allow. */
const maxShownRows = 500_000;
const countTimeoutMs = 10_000;

/** The rows of a query, of which a page is read when it is wanted. */
export class ResultReader {
  readonly #read: ReadResult;
  readonly #changed: () => void;
  #query: Arguments | undefined;
  #pages = new Map<number, readonly (readonly Cell[])[]>();
  #cursor: string | undefined;
  #firstCount = 0;
  /** Answers to questions before the last change are ignored. */
  #turn = 0;
  #isReading = false;
  #wanted: readonly [from: number, to: number] = [0, 0];
  #end: number | undefined;
  #known = 0;

  /** How the rows are filtered and sorted. */
  filters: readonly Filter[] = [];
  sort: Sort | undefined;
  #asked: Refinement = { filters: [], sort: undefined };
  columns: readonly Column[] = [];
  /** The number of all rows that the filters let pass; undefined while it is not known. */
  total: number | undefined;
  /** The number of all rows of the query, without filters. */
  unfiltered: number | undefined;
  elapsedMs: number | undefined;
  isBusy = false;
  /** Increases with each first page that was read, which is of another query, order or filter. */
  generation = 0;
  problem = '';
  note = '';

  constructor(read: ReadResult, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  /** How many rows can be shown, also those that are not read yet. */
  get count(): number {
    return Math.min(maxShownRows, this.total ?? this.#end ?? this.#known + (this.#cursor ? pageRows : 0));
  }

  get isCut(): boolean {
    return (this.total ?? 0) > maxShownRows;
  }

  /** Rows of the first page, by which the widths of the columns are chosen. */
  get sample(): readonly (readonly Cell[])[] {
    return this.#pages.get(0)?.slice(0, 100) ?? [];
  }

  row(index: number): readonly Cell[] | undefined {
    return this.#pages.get(Math.floor(index / pageRows))?.[index % pageRows];
  }

  open(query: Arguments): Promise<void> {
    this.#query = query;
    this.#asked = { filters: [], sort: undefined };
    this.unfiltered = undefined;
    this.columns = [];
    return this.restart();
  }

  /** How the rows will be filtered and sorted, once those that are being read are there. */
  get asked(): Refinement {
    return this.#asked;
  }

  /** Sorts or filters. The rows, their order and the filters stay until the new ones are there. */
  async refine(change: Partial<Refinement>): Promise<void> {
    this.#asked = { ...this.#asked, ...change };
    await this.restart();
    if (this.problem !== '') this.#asked = { filters: this.filters, sort: this.sort };
  }

  /** Reads the first page, and counts the rows if there are more. What was read stays if that fails. */
  async restart(): Promise<void> {
    const turn = ++this.#turn;
    this.isBusy = true;
    this.problem = this.note = '';
    this.#changed();
    try {
      const first = await this.ask({ limit: pageRows });
      if (turn !== this.#turn) return;
      this.#begin(first);
      if (first.hasMore) await this.#count(turn);
    } catch (error) {
      if (turn === this.#turn) this.problem = messageOf(error);
    }
    if (turn !== this.#turn) return;
    this.isBusy = false;
    this.#changed();
  }

  /** Reads rows of the query as it is sorted and filtered now. */
  async ask(args: Arguments): Promise<Answer> {
    const filters = this.#asked.filters.map(({ column, operator, value }) => ({ column, operator, value }));
    const refined = { filters, sort: this.#asked.sort };
    return answerOf(await this.#read({ ...this.#query, ...refined, ...args }));
  }

  /** Reads a value in full; undefined if its row is gone. */
  async whole({ row, column }: { readonly row: number; readonly column: number }): Promise<Cell | undefined> {
    const { rows } = await this.ask({ columns: [column], skip: row, limit: 1, whole: true });
    return rows[0]?.[0];
  }

  /** Reads the pages of these rows, one after the other. */
  want(from: number, to: number): void {
    this.#wanted = [from, to];
    if (!this.#isReading && this.#missing() !== undefined) void this.#readWanted();
  }

  #begin(first: Answer): void {
    this.generation++;
    Object.assign(this, this.#asked);
    this.columns = first.columns;
    this.elapsedMs = first.elapsedMs;
    this.#pages = new Map([[0, first.rows]]);
    this.#firstCount = this.#known = first.rows.length;
    this.#cursor = first.cursor;
    this.#end = undefined;
    this.total = first.hasMore ? undefined : first.rows.length;
    if (this.filters.length === 0 && this.total !== undefined) this.unfiltered = this.total;
    this.#changed();
  }

  async #count(turn: number): Promise<void> {
    try {
      const { rows } = await this.ask({ counts: true, timeout_ms: countTimeoutMs });
      const total = Number(rows[0]?.[0]?.text);
      if (turn !== this.#turn || !Number.isSafeInteger(total)) return;
      this.total = total;
      if (this.filters.length === 0) this.unfiltered = total;
    } catch {
      // The rows take too long to count: they are counted as they are read.
    }
  }

  /** The first wanted row that is missing. */
  #missing(): number | undefined {
    const [from, to] = this.#wanted;
    for (let index = from; index < Math.min(to, this.count); index++) if (!this.row(index)) return index;
    return undefined;
  }

  async #readWanted(): Promise<void> {
    this.#isReading = true;
    for (let missing = this.#missing(); missing !== undefined && this.#cursor; missing = this.#missing()) {
      const turn = this.#turn;
      const page = Math.floor(missing / pageRows);
      const kept = this.#pages.get(page) ?? [];
      const start = page * pageRows + kept.length;
      try {
        const args = { cursor: this.#cursor, skip: start - this.#firstCount, limit: pageRows - kept.length };
        const { rows, hasMore } = await this.ask(args);
        if (turn !== this.#turn) continue;
        this.#keep(page, [...kept, ...rows]);
        this.#known = Math.max(this.#known, start + rows.length);
        if (!hasMore || rows.length === 0) this.#end = this.total = start + rows.length;
      } catch (error) {
        if (turn !== this.#turn) continue;
        const message = messageOf(error);
        if (!message.startsWith('The cursor is stale')) {
          this.problem = message;
          this.#wanted = [0, 0];
          this.#changed();
          break;
        }
        await this.restart();
        this.note = 'The database has changed: the rows were read again';
      }
      this.#changed();
    }
    this.#isReading = false;
  }

  #keep(page: number, rows: readonly (readonly Cell[])[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= maxPages) break;
      if (old !== 0) this.#pages.delete(old);
    }
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
