import { chartIn, element, region } from '@mcp/views/dom';
import type { Chart } from '@mcp/views/model';
import type { Answer, Column } from '../model/answer.ts';
import { countText } from '../model/cell.ts';
import { pairsOf } from '../model/chart.ts';

export interface Pairs {
  readonly columns: readonly Column[];
  readonly x: number;
  readonly y: number;
  readonly rows: Answer['rows'];
  /** How many rows there are for each pair that is drawn. */
  readonly every: number;
  readonly hasMore: boolean;
  readonly problem: string;
}

/** A chart of two columns, which the user chooses. */
export class ChartPart {
  readonly #note = element('p', { class: 'quiet' });
  readonly #choices;
  readonly #draw;

  constructor(part: HTMLElement, choose: (x: number, y: number) => void) {
    const selects = element('div', { class: 'tools' });
    const chart = element('div');
    part.append(selects, chart, this.#note);
    this.#draw = chartIn(chart);
    this.#choices = region(selects, ({ names, chosen }: { names: string[]; chosen: number[] }) =>
      ['Across', 'Up'].map((legend, axis) => {
        const select = element(
          'select',
          {},
          ...names.map((name, index) =>
            element(
              'option',
              { value: index, selected: chosen[axis] === index },
              name || `column ${index + 1}`,
            ),
          ),
        );
        select.addEventListener('change', () => {
          const next = chosen.with(axis, Number(select.value));
          choose(next[0]!, next[1]!);
        });
        return element('label', {}, element('span', { class: 'quiet' }, `${legend} `), select);
      }),
    );
  }

  show(pairs: Pairs): void {
    const { columns, x, y, rows, problem } = pairs;
    this.#choices({ names: columns.map(({ name }) => name), chosen: [x, y] });
    const names = [columns[x]?.name ?? '', columns[y]?.name ?? ''] as const;
    const chart = this.#draw({ names, pairs: pairsOf(rows) });
    this.#note.textContent = problem || noteOf(pairs, chart);
  }
}

function noteOf({ columns, y, rows, every, hasMore }: Pairs, chart: Chart | undefined): string {
  if (!chart) return rows.length === 0 ? 'There are no rows' : `${columns[y]?.name ?? ''}: no numbers`;
  const missing = rows.length - chart.points.length;
  return [
    `${countText(chart.points.length)} points`,
    every > 1 ? `each ${ordinal(every)} row` : '',
    hasMore ? 'the first rows only' : '',
    missing > 0 ? `${countText(missing)} without a number` : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

function ordinal(number: number): string {
  const tens = number % 100;
  const end = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${countText(number)}${end}`;
}
