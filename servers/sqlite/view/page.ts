import { byId, choiceIn, element, region } from '@mcp/views/dom';
import { escapedText } from '@mcp/views/model';
import { ChartPart, type Pairs } from './dom/chart.ts';
import { type Detail, detailIn } from './dom/detail.ts';
import { DiagramPart } from './dom/diagram.ts';
import { filtersIn } from './dom/filters.ts';
import { Grid } from './dom/grid.ts';
import { writesIn } from './dom/write.ts';
import { shortText } from './model/cell.ts';
import { firstPair } from './model/chart.ts';
import { factsText, schemaFacts } from './model/facts.ts';
import { sameValue, sortAfter } from './model/filters.ts';
import { isNumeric, type Place } from './model/grid-window.ts';
import { type Schema, schemaOf, selectFrom } from './model/schema.ts';
import type { WriteFacts } from './model/write.ts';
import { messageOf, ResultReader } from './result-reader.ts';
import { type CallWrite, Writes } from './writes.ts';

export type Arguments = { readonly [name: string]: unknown };
export type Part = 'write' | 'rows' | 'chart' | 'schema';

/** Calls tools of the server. Each rejects with an `Error` for the user. */
export interface Tools {
  readonly readResult: (args: Arguments) => Promise<unknown>;
  readonly readSchema: (args: Arguments) => Promise<unknown>;
  readonly write: CallWrite;
}

const names: Readonly<Record<Part, string>> = {
  write: 'Write',
  rows: 'Rows',
  chart: 'Chart',
  schema: 'Schema',
};
/** More points would be closer than pixels. */
const maxPoints = 1_000;
const maxSqlLength = 20_000;

/** What the user sees: the rows of a query, their chart, the schema, and writes. */
export class Page {
  readonly #tools: Tools;
  readonly #reader: ResultReader;
  readonly #writes: Writes;
  #part: Part | undefined;
  #database: unknown;
  #sql = '';
  #said = '';
  /** The generation of the rows in the grid. */
  #shownPages: number | undefined;
  #schema: Schema | undefined;
  #marked = '';
  #pairs: Pairs | undefined;
  /** What `#pairs` was read for. */
  #charted = '';
  #detail: (Detail & { readonly place: Place }) | undefined;
  #problem = '';

  readonly #parts = choiceIn(byId('parts'), (value) => this.open(value as Part));
  readonly #grid;
  readonly #filters;
  readonly #showDetail;
  readonly #chart;
  readonly #diagram;
  readonly #showWrites;
  readonly #trouble = region(byId('trouble'), ([problem, said]: readonly string[]) => [
    problem !== undefined && element('p', {}, problem),
    said && element('pre', { tabindex: 0 }, said),
  ]);
  readonly #facts = region(byId('facts'), (parts: readonly string[]) =>
    parts.map((part) => element('span', {}, part)),
  );

  constructor(tools: Tools) {
    this.#tools = tools;
    const reader = new ResultReader(tools.readResult, () => this.show());
    this.#reader = reader;
    const writes = new Writes(tools.write, () => this.show());
    this.#writes = writes;
    this.#grid = new Grid(byId('grid'), {
      want: (from, to) => reader.want(from, to),
      sort: (column) => void reader.refine({ sort: sortAfter(reader.asked.sort, column) }),
      choose: (place) => void this.#choose(place),
    });
    this.#filters = filtersIn({
      add: (filter) => void reader.refine({ filters: [...reader.asked.filters, filter] }),
      remove: (index) => void reader.refine({ filters: reader.asked.filters.toSpliced(index, 1) }),
      isNumeric: (column) => isNumeric(reader.sample, column),
    });
    this.#showDetail = detailIn(byId('detail'), {
      close: () => this.#closeDetail(),
      filter: () => this.#filterByDetail(),
    });
    this.#chart = new ChartPart(byId('chart'), (x, y) => void this.#readChart(x, y));
    this.#diagram = new DiagramPart(byId('schema'), ({ fullName }) =>
      this.query({ sql: selectFrom(fullName!), database: this.#database }),
    );
    this.#showWrites = writesIn(byId('write'), {
      ask: (index, asks) => writes.change(index, { asks }),
      confirm: (index) => void writes.confirm(index),
    });
  }

  /** Shows the rows of a query, or the text of its result if they cannot be read. */
  query(args: Arguments, said = ''): void {
    this.#said = said;
    this.#database = args['database'];
    this.#sql = String(
      args['sql'] ?? args['query'] ?? args['statement'] ?? args['sql_query'] ?? args['sqlQuery'],
    );
    this.#detail = undefined;
    this.#part = 'rows';
    void this.#reader.open(args);
  }

  /** Shows the schema, in which a table stands out. */
  describe(database: unknown, table: string): void {
    this.#database = database;
    this.#marked = table;
    this.open('schema');
  }

  /** Shows a call of `write`, which runs until `written`. */
  writing(statements: readonly string[], args: Arguments): void {
    this.#database = args['database'] ?? args['db'];
    this.#writes.begin(statements, args);
    this.open('write');
  }

  written(facts: WriteFacts | undefined, text: string, isRefused: boolean): void {
    this.#writes.change(0, { facts, text, isRefused });
  }

  failed(problem: string): void {
    this.#problem = problem;
    this.show();
  }

  open(part: Part): void {
    this.#part = part;
    this.show();
    if (part === 'schema' && !this.#schema) void this.#readSchema();
    if (part === 'chart') void this.#readChart(this.#pairs?.x, this.#pairs?.y);
  }

  show(): void {
    const reader = this.#reader;
    const part = this.#part;
    const problem = this.#problem || (part === 'rows' || part === 'chart' ? reader.problem : '');
    document.querySelector('main')!.ariaBusy = String(part === undefined && problem === '');
    byId('loading').hidden = part !== undefined || problem !== '';
    for (const each of Object.keys(names)) byId(each).hidden = each !== part;
    const hasRows = this.#sql !== '';
    const options = (Object.keys(names) as Part[]).filter(
      (each) => each === 'schema' || (each === 'write' ? this.#writes.all.length > 0 : hasRows),
    );
    byId('parts').style.visibility = part ? '' : 'hidden';
    this.#parts({
      name: 'part',
      legend: 'Part',
      options: options.map((value) => ({ value, text: names[value] })),
      chosen: part ?? '',
    });
    const isQuery = part === 'rows' || part === 'chart';
    byId('statement').hidden = !isQuery;
    byId('filter-open').hidden = part !== 'rows';
    byId('statement-line').textContent = escapedText(this.#sql, 300).replaceAll(/\s+/g, ' ');
    byId('statement-text').textContent = escapedText(this.#sql, maxSqlLength);
    const said = part === 'rows' && this.#reader.columns.length === 0 ? this.#said : '';
    this.#trouble(problem === '' ? [] : [escapedText(problem, 1_000), escapedText(said, 20_000)]);
    if (part === 'rows') this.#showRows();
    if (part === 'chart' && this.#pairs) this.#chart.show(this.#pairs);
    if (part === 'schema' && this.#schema) this.#diagram.show(this.#schema, this.#marked);
    this.#showWrites(this.#writes.all);
    this.#facts(this.#factsOf(part));
  }

  #factsOf(part: Part | undefined): readonly string[] {
    if (part === 'schema') return this.#schema ? schemaFacts(this.#schema) : ['Reading the schema …'];
    const database = typeof this.#database === 'string' ? [escapedText(this.#database, 60)] : [];
    if (part === 'write') return database;
    return part === undefined ? [] : [...factsText(this.#reader), ...database];
  }

  #showRows(): void {
    const reader = this.#reader;
    this.#filters({ columns: reader.columns, filters: reader.filters });
    byId('grid').hidden = reader.columns.length === 0;
    const isOther = this.#shownPages !== reader.generation;
    this.#shownPages = reader.generation;
    this.#grid.show(reader, isOther);
    this.#showDetail(this.#detail);
  }

  /** Shows a value, which is read in full if only its beginning is known. */
  async #choose(place: Place): Promise<void> {
    const cell = this.#reader.row(place.row)?.[place.column];
    if (!cell) return;
    const column = this.#reader.columns[place.column]?.name ?? '';
    const isReading = cell.isCut === true;
    this.#detail = { place, row: place.row, column, cell, isReading, problem: '' };
    this.show();
    byId('detail').querySelector('pre')?.focus({ preventScroll: true });
    if (!isReading) return;
    const chosen = this.#detail;
    const found: Partial<Detail> = await this.#reader.whole(place).then(
      (whole) => (whole ? { cell: whole } : {}),
      (error: unknown) => ({ problem: escapedText(messageOf(error), 400) }),
    );
    if (this.#detail !== chosen) return;
    this.#detail = { ...chosen, ...found, isReading: false };
    this.show();
  }

  #closeDetail(): void {
    this.#detail = undefined;
    this.show();
    this.#grid.focus();
  }

  #filterByDetail(): void {
    const { place, cell } = this.#detail!;
    const reader = this.#reader;
    const filter = sameValue(reader.columns, place.column, cell, shortText(cell));
    this.#closeDetail();
    void reader.refine({ filters: [...reader.asked.filters, filter] });
  }

  async #readSchema(): Promise<void> {
    try {
      const args = this.#database === undefined ? {} : { database: this.#database };
      this.#schema = schemaOf(await this.#tools.readSchema(args));
      this.#problem = '';
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.show();
  }

  /** Reads the pairs of two columns, at most `maxPoints` of them, from all rows. */
  async #readChart(across?: number, up?: number): Promise<void> {
    const reader = this.#reader;
    const { columns } = reader;
    if (columns.length === 0) return;
    const [x, y] =
      up === undefined
        ? firstPair(columns.map((_, index) => isNumeric(reader.sample, index)))
        : [across!, up];
    const every = Math.max(1, Math.ceil((reader.total ?? 0) / maxPoints));
    const charted = JSON.stringify([x, y, every, reader.generation]);
    if (this.#charted === charted) return;
    this.#charted = charted;
    const pairs: Pairs = { columns, x, y, rows: [], every, hasMore: false, problem: '' };
    try {
      const { rows, hasMore } = await reader.ask({ columns: [x, y], every, limit: maxPoints });
      this.#pairs = { ...pairs, rows, hasMore };
    } catch (error) {
      this.#pairs = { ...pairs, problem: escapedText(messageOf(error), 400) };
    }
    this.show();
  }
}
