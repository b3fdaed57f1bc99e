import { type Child, element } from './element.ts';

/** The names of columns, and rows of values: numbers stand on the right. */
export interface Table {
  /** What the table has, for screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Child | number)[])[];
}

/** Makes a table that scrolls where it is larger than its place. For many rows, use `LongList`. */
export function tableNode({ label, columns, rows }: Table): HTMLElement {
  const cell = (value: Child | number) =>
    typeof value === 'number'
      ? element('td', { class: 'number' }, value.toLocaleString('en', { maximumFractionDigits: 20 }))
      : element('td', {}, value);
  return element(
    'div',
    { class: 'table-part', tabindex: 0, role: 'group', 'aria-label': label },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, name))),
      ),
      element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cell)))),
    ),
  );
}
