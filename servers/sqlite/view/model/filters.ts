import type { Cell } from './cell.ts';
import type { Column } from './answer.ts';

/** The operators of `read_result`, with their words. */
export const operators = {
  contains: 'contains',
  '=': 'is',
  '<>': 'is not',
  '<': 'less than',
  '<=': 'at most',
  '>': 'greater than',
  '>=': 'at least',
  null: 'is NULL',
  'not null': 'is not NULL',
} as const;

export type Operator = keyof typeof operators;

/** A condition, as `read_result` takes it, and as it is shown. */
export interface Filter {
  readonly column: number;
  readonly operator: Operator;
  readonly value?: unknown;
  readonly text: string;
}

export interface Sort {
  readonly column: number;
  readonly descending: boolean;
}

/** A condition of what a user has typed. Among numbers, a text that is a number is one. */
export function typedFilter(
  columns: readonly Column[],
  {
    column,
    operator,
    typed,
    isNumeric,
  }: { column: number; operator: Operator; typed: string; isNumeric: boolean },
): Filter {
  const head = `${columns[column]?.name ?? ''} ${operators[operator]}`;
  if (operator === 'null' || operator === 'not null') return { column, operator, text: head };
  const value = isNumeric && operator !== 'contains' ? numberOf(typed.trim()) : typed;
  return { column, operator, value, text: `${head} ${typed === '' ? '""' : typed}` };
}

/** The condition that a column has this value. */
export function sameValue(columns: readonly Column[], column: number, cell: Cell, shown: string): Filter {
  const name = columns[column]?.name ?? '';
  if (cell.kind === 'null') return { column, operator: 'null', text: `${name} ${operators.null}` };
  return {
    column,
    operator: '=',
    value: cell.json,
    text: `${name} is ${shown === '' ? '""' : shown.slice(0, 80)}`,
  };
}

/** The number that a text is, exactly; else the text. */
function numberOf(text: string): unknown {
  if (/^[+-]?\d{1,19}$/.test(text)) return { $int: text };
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? { $real: text } : text;
}

/** The order after a click on a column: ascending, descending, and that of the query. */
export function sortAfter(sort: Sort | undefined, column: number): Sort | undefined {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? undefined : { column, descending: true };
}
