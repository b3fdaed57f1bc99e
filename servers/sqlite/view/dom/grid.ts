import { element } from '@mcp/views/dom';
import type { Column } from '../model/answer.ts';
import { type Cell, countText } from '../model/cell.ts';
import type { Sort } from '../model/filters.ts';
import {
  columnsIn,
  edgesOf,
  isNumeric,
  type Place,
  placeAfter,
  rowHeight,
  rowsIn,
  type Span,
} from '../model/grid-window.ts';
import { cellContent } from './cell.ts';
import { widthIn } from './text-width.ts';

/** The rows that a grid shows; those that are not read yet are undefined. */
export interface GridRows {
  readonly columns: readonly Column[];
  readonly sample: readonly (readonly Cell[])[];
  readonly count: number;
  /** The number of all rows; undefined while it is not known. */
  readonly total: number | undefined;
  readonly sort: Sort | undefined;
  row(index: number): readonly Cell[] | undefined;
}

interface GridEvents {
  /** These rows are visible. */
  readonly want: (from: number, to: number) => void;
  /** The user wants another order. */
  readonly sort: (column: number) => void;
  /** The user has chosen a value. */
  readonly choose: (place: Place) => void;
}

const headHeight = 44;

/** A grid of any number of rows and columns, of which only the visible ones are in the page. */
export class Grid {
  readonly #grid: HTMLElement;
  readonly #head = element('div', { role: 'row', class: 'head', 'aria-rowindex': 1 });
  readonly #body = element('div', { role: 'rowgroup', class: 'body' });
  readonly #events: GridEvents;
  readonly #drawn = new Map<
    number,
    { readonly node: HTMLElement; readonly cells: readonly Cell[] | undefined }
  >();
  #rows: GridRows | undefined;
  #edges: readonly number[] = [0];
  #gutter = 0;
  #columns: Span = [0, 0];
  #place: Place = { row: 0, column: 0 };
  /** The columns for which `#edges` were computed, and the width. */
  #measured: readonly unknown[] = [];
  #frame = 0;

  constructor(grid: HTMLElement, events: GridEvents) {
    this.#grid = grid;
    this.#events = events;
    grid.append(this.#head, this.#body);
    grid.addEventListener('scroll', () => this.#later());
    grid.addEventListener('keydown', (event) => this.#pressed(event));
    grid.addEventListener('click', (event) => this.#clicked(event));
    grid.addEventListener('dblclick', () => this.#act());
    grid.addEventListener('focus', () => this.#draw());
    new ResizeObserver(() => this.#later()).observe(grid);
  }

  /** The place of the cell that has the focus. */
  get place(): Place {
    return this.#place;
  }

  /** Shows rows, those of another query from the first on. */
  show(rows: GridRows, isOther: boolean): void {
    this.#rows = rows;
    if (isOther) {
      const { row, column } = this.#place;
      this.#place = { row: Math.min(row, 0), column: Math.min(column, Math.max(0, rows.columns.length - 1)) };
      this.#grid.scrollTop = 0;
      this.#clear();
    }
    this.#draw();
  }

  focus(): void {
    this.#grid.focus({ preventScroll: true });
  }

  #later(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const rows = this.#rows;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.#grid;
    if (!rows || clientWidth === 0) return;
    this.#measure(rows, clientWidth);
    this.#grid.setAttribute('aria-rowcount', String(rows.total === undefined ? -1 : rows.total + 1));
    this.#grid.setAttribute('aria-colcount', String(rows.columns.length + 1));
    this.#body.style.height = `${rows.count * rowHeight}px`;
    const columns = columnsIn(this.#edges, scrollLeft, clientWidth - this.#gutter);
    if (columns.join() !== this.#columns.join()) this.#clear();
    this.#columns = columns;
    this.#drawHead(rows);
    this.#drawRows(rows, rowsIn(scrollTop, clientHeight - headHeight, rows.count));
    const active = document.getElementById(idOf(this.#place));
    for (const node of this.#grid.querySelectorAll('.active'))
      if (node !== active) node.classList.remove('active');
    active?.classList.add('active');
    if (active) this.#grid.setAttribute('aria-activedescendant', active.id);
    else this.#grid.removeAttribute('aria-activedescendant');
  }

  #measure({ columns, sample, count }: GridRows, width: number): void {
    const gutter = Math.max(44, Math.round(countText(count).length * 7.4 + 22));
    const measured = [columns, sample.length > 0, width, gutter];
    if (measured.every((each, index) => each === this.#measured[index])) return;
    this.#measured = measured;
    this.#gutter = gutter;
    this.#edges = edgesOf(columns, sample, { available: width - gutter, widthOf: widthIn(this.#grid) });
    const { style } = this.#grid;
    style.setProperty('--gutter', `${gutter}px`);
    style.setProperty('--width', `${gutter + this.#edges.at(-1)!}px`);
    this.#clear();
  }

  #clear(): void {
    for (const { node } of this.#drawn.values()) node.remove();
    this.#drawn.clear();
    this.#columns = [0, 0];
  }

  #drawHead({ columns, sample, sort }: GridRows): void {
    const [from, to] = this.#columns;
    const key = JSON.stringify([from, this.#edges.slice(from, to + 1), sort, columns.slice(from, to)]);
    if (this.#head.dataset['key'] === key) return;
    this.#head.dataset['key'] = key;
    const corner = element('div', { role: 'columnheader', class: 'gutter', 'aria-colindex': 1 });
    corner.append(element('span', { class: 'spoken' }, 'Row'));
    const heads = columns.slice(...this.#columns).map(({ name, type }, index) => {
      const column = this.#columns[0] + index;
      const isSorted = sort?.column === column;
      const order = isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none';
      const head = element(
        'div',
        {
          role: 'columnheader',
          class: `cell${isNumeric(sample, column) ? ' number' : ''}`,
          id: idOf({ row: -1, column }),
          'aria-colindex': column + 2,
          'aria-sort': order,
        },
        element('b', {}, element('bdi', {}, name)),
        element('small', {}, type),
      );
      return this.#placed(head, column);
    });
    this.#head.replaceChildren(corner, ...heads);
  }

  #drawRows(rows: GridRows, [from, to]: Span): void {
    for (const [index, { node }] of this.#drawn) {
      if (index >= from && index < to) continue;
      node.remove();
      this.#drawn.delete(index);
    }
    for (let index = from; index < to; index++) {
      const cells = rows.row(index);
      const drawn = this.#drawn.get(index);
      if (drawn && drawn.cells === cells) continue;
      const node = this.#rowNode(index, cells);
      if (drawn) drawn.node.replaceWith(node);
      else this.#body.append(node);
      this.#drawn.set(index, { node, cells });
    }
    this.#events.want(from, to);
  }

  #rowNode(index: number, cells: readonly Cell[] | undefined): HTMLElement {
    const [from, to] = this.#columns;
    const columns = Array.from({ length: to - from }, (_, offset) => from + offset);
    const row = element(
      'div',
      { role: 'row', 'aria-rowindex': index + 2, class: index % 2 ? 'row odd' : 'row' },
      element('div', { role: 'rowheader', class: 'gutter', 'aria-colindex': 1 }, countText(index + 1)),
      ...columns.map((column) => this.#cellNode({ row: index, column }, cells?.[column])),
    );
    row.style.top = `${index * rowHeight}px`;
    return row;
  }

  #cellNode(place: Place, cell: Cell | undefined): HTMLElement {
    const isNumber = cell?.kind === 'integer' || cell?.kind === 'real';
    const node = element(
      'div',
      {
        role: 'gridcell',
        class: `cell${isNumber ? ' number' : ''}`,
        id: idOf(place),
        'aria-colindex': place.column + 2,
      },
      ...(cell ? cellContent(cell) : [element('span', { class: 'waiting' }, '…')]),
    );
    return this.#placed(node, place.column);
  }

  #placed(node: HTMLElement, column: number): HTMLElement {
    const [left = 0, right = 0] = this.#edges.slice(column, column + 2);
    node.style.left = `${this.#gutter + left}px`;
    node.style.width = `${right - left}px`;
    return node;
  }

  #pressed(event: KeyboardEvent): void {
    const { columns, count } = this.#rows ?? { columns: [], count: 0 };
    if (event.altKey || columns.length === 0) return;
    const page = Math.max(1, Math.floor((this.#grid.clientHeight - headHeight) / rowHeight) - 1);
    const next = placeAfter(event, this.#place, { rows: count, columns: columns.length, page });
    if (next) this.#go(next);
    else if (event.key === 'Enter' || event.key === ' ') this.#act();
    else return;
    event.preventDefault();
  }

  /** Sorts by the column whose name has the focus, or chooses the value. */
  #act(): void {
    if (this.#place.row < 0) this.#events.sort(this.#place.column);
    else this.#events.choose(this.#place);
  }

  #clicked({ target }: Event): void {
    const [, row, column] = /^cell(-?\d+)_(\d+)$/.exec((target as Element).closest('.cell')?.id ?? '') ?? [];
    if (row === undefined) return;
    this.#place = { row: Number(row), column: Number(column) };
    if (this.#place.row < 0) this.#events.sort(this.#place.column);
    this.#draw();
  }

  /** Moves the focus to a cell, and makes it visible. */
  #go(place: Place): void {
    this.#place = place;
    const top = place.row * rowHeight;
    const { clientHeight, clientWidth, scrollTop, scrollLeft } = this.#grid;
    const lowest = top + rowHeight + headHeight - clientHeight;
    if (place.row >= 0) this.#grid.scrollTop = Math.min(top, Math.max(scrollTop, lowest));
    const [left = 0, right = 0] = this.#edges.slice(place.column, place.column + 2);
    const farthest = right + this.#gutter - clientWidth;
    this.#grid.scrollLeft = Math.min(left, Math.max(scrollLeft, farthest));
    this.#draw();
  }
}

function idOf({ row, column }: Place): string {
  return `cell${row}_${column}`;
}
