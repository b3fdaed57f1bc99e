import { byId, element, region } from '@mcp/views/dom';
import type { Column } from '../model/answer.ts';
import { type Filter, type Operator, operators, typedFilter } from '../model/filters.ts';

interface Shown {
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
}

interface FilterEvents {
  readonly add: (filter: Filter) => void;
  readonly remove: (index: number) => void;
  readonly isNumeric: (column: number) => boolean;
}

/** The conditions that rows meet, each with a button that removes it, and the form for another one. */
export function filtersIn({ add, remove, isNumeric }: FilterEvents): (shown: Shown) => void {
  const [column, operator] = ['filter-column', 'filter-operator'].map((id) => byId(id) as HTMLSelectElement);
  const value = byId('filter-value') as HTMLInputElement;
  const form = byId('filter-form');
  const button = byId('filter-open');
  let columns: readonly Column[] = [];

  for (const [key, text] of Object.entries(operators))
    operator!.append(element('option', { value: key }, text));
  const open = (isOpen: boolean) => {
    form.hidden = !isOpen;
    button.ariaExpanded = String(isOpen);
  };
  button.addEventListener('click', () => {
    open(form.hidden === true);
    if (!form.hidden) column!.focus();
  });
  operator!.addEventListener('change', () => (value.hidden = operator!.value.endsWith('null')));
  // A host forbids forms to the frame of a view, so that this is none.
  const submit = () => {
    const chosen = Number(column!.value);
    const typed = { column: chosen, operator: operator!.value as Operator, typed: value.value };
    add(typedFilter(columns, { ...typed, isNumeric: isNumeric(chosen) }));
    value.value = '';
    open(false);
    button.focus();
  };
  byId('filter-add').addEventListener('click', submit);
  value.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') submit();
  });

  const options = region(column!, (names: readonly string[]) =>
    names.map((name, index) => element('option', { value: index }, name || `column ${index + 1}`)),
  );
  const chips = region(byId('filters'), (texts: readonly string[]) =>
    texts.map((text, index) => {
      const chip = element('button', { type: 'button', class: 'plain chip' }, element('bdi', {}, text), ' ');
      chip.append(
        element('span', { 'aria-hidden': 'true' }, '×'),
        element('span', { class: 'spoken' }, ': remove'),
      );
      chip.addEventListener('click', () => remove(index));
      return chip;
    }),
  );
  return (shown) => {
    columns = shown.columns;
    options(columns.map(({ name }) => name));
    chips(shown.filters.map(({ text }) => text));
  };
}
