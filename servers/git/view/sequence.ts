import { messageOf } from '@mcp/views/model';

/** Rows, and where the next ones begin; undefined at the end. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: unknown;
}

/** More rows are not kept. */
const maxRows = 200_000;

/** Rows that are read in their order, a page when it is wanted. */
export class Sequence<Row> {
  readonly #read: (next: unknown) => Promise<Page<Row>>;
  readonly #changed: () => void;
  #next: unknown;
  /** Answers to questions before the last start are ignored. */
  #turn = 0;
  #wanted = 0;
  rows: readonly Row[] = [];
  /** Increases with each start. */
  generation = 0;
  isWhole = false;
  isBusy = false;
  problem = '';

  /** `read` gets where a page begins; undefined for the first. It rejects with an `Error` for the user. */
  constructor(read: (next: unknown) => Promise<Page<Row>>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  /** Reads the first page. What was read stays until then. */
  async start(): Promise<void> {
    this.#turn++;
    this.#wanted = 1;
    this.isWhole = false;
    await this.#readPages(this.#turn, true);
  }

  /** Reads until there are so many rows. */
  want(count: number): void {
    this.#wanted = Math.max(this.#wanted, count);
    if (!this.isBusy && this.#isMissing()) void this.#readPages(this.#turn, false);
  }

  #isMissing(): boolean {
    const { length } = this.rows;
    return (
      this.generation > 0 && !this.isWhole && this.problem === '' && length < Math.min(this.#wanted, maxRows)
    );
  }

  async #readPages(turn: number, isFirst: boolean): Promise<void> {
    this.isBusy = true;
    this.problem = '';
    try {
      for (let first = isFirst; first || this.#isMissing(); first = false) {
        const { rows, next } = await this.#read(first ? undefined : this.#next);
        if (turn !== this.#turn) return;
        if (first) this.generation++;
        this.rows = first ? rows : [...this.rows, ...rows];
        this.#next = next;
        this.isWhole = next === undefined || rows.length === 0;
        this.#changed();
      }
    } catch (error) {
      if (turn === this.#turn) this.problem = messageOf(error);
    }
    if (turn !== this.#turn) return;
    this.isBusy = false;
    this.#changed();
  }
}
