import { element, region, shape } from '@mcp/views/dom';
import type { Answer, Column } from '../model/answer.ts';
import { type Cell, countText } from '../model/cell.ts';
import { type Chart, chartOf, nearestPoint } from '../model/chart.ts';

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

/** A chart of two columns, which the user chooses. A pair is read by pointing at it, or by the arrow keys. */
export class ChartPart {
  readonly #selects = element('div', { class: 'tools' });
  readonly #picture = element('div', { id: 'picture' });
  readonly #readout = element('output', { class: 'quiet' });
  readonly #slider = element('input', {
    type: 'range',
    class: 'spoken',
    min: 0,
    value: 0,
    'aria-label': 'Point',
  });
  readonly #note = element('p', { class: 'quiet' });
  readonly #choices;
  readonly #draw = region(this.#picture, (chart: Chart | undefined) => (chart ? [pictureOf(chart)] : []));
  #pairs: Pairs | undefined;
  #chart: Chart | undefined;

  constructor(part: HTMLElement, choose: (x: number, y: number) => void) {
    part.append(this.#selects, this.#readout, this.#picture, this.#slider, this.#note);
    this.#choices = region(this.#selects, ({ names, chosen }: { names: string[]; chosen: number[] }) =>
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
    const point = ({ clientX }: PointerEvent) => {
      if (this.#chart)
        this.#mark(nearestPoint(this.#chart, clientX - this.#picture.getBoundingClientRect().left));
    };
    this.#picture.addEventListener('pointermove', point);
    this.#picture.addEventListener('pointerdown', point);
    this.#slider.addEventListener('input', () => this.#mark(Number(this.#slider.value)));
    new ResizeObserver(() => this.#update()).observe(part);
  }

  show(pairs: Pairs): void {
    this.#pairs = pairs;
    this.#choices({ names: pairs.columns.map(({ name }) => name), chosen: [pairs.x, pairs.y] });
    this.#update();
  }

  #update(): void {
    const width = this.#picture.clientWidth;
    if (!this.#pairs || width === 0) return;
    const { rows, problem } = this.#pairs;
    this.#chart = chartOf(rows as readonly (readonly Cell[])[], width);
    this.#draw(this.#chart);
    this.#note.textContent = problem || this.#noteText(this.#pairs);
    this.#slider.hidden = !this.#chart;
    this.#readout.textContent = '';
    if (!this.#chart) return;
    this.#slider.max = String(this.#chart.points.length - 1);
    this.#mark(Math.min(Number(this.#slider.value), this.#chart.points.length - 1));
  }

  #noteText({ columns, y, rows, every, hasMore }: Pairs): string {
    if (!this.#chart)
      return rows.length === 0 ? 'There are no rows' : `${columns[y]?.name ?? ''}: no numbers`;
    const missing = rows.length - this.#chart.points.length;
    return [
      `${countText(this.#chart.points.length)} points`,
      every > 1 ? `each ${ordinal(every)} row` : '',
      hasMore ? 'the first rows only' : '',
      missing > 0 ? `${countText(missing)} without a number` : '',
    ]
      .filter((text) => text !== '')
      .join(', ');
  }

  #mark(index: number): void {
    const point = this.#chart?.points[index];
    if (!point || !this.#pairs) return;
    const { columns, x, y } = this.#pairs;
    const [across, up] = point.texts;
    const text = `${columns[x]?.name ?? ''}: ${across}, ${columns[y]?.name ?? ''}: ${up}`;
    this.#slider.value = String(index);
    this.#slider.setAttribute('aria-valuetext', text);
    this.#readout.textContent = text;
    this.#picture.querySelector('#mark')?.setAttribute('d', `M${point.x} 14V266`);
    this.#picture.querySelector('#dot')?.setAttribute('transform', `translate(${point.x} ${point.y})`);
  }
}

function pictureOf({ width, height, ticks, labels, line, bars, dots, points }: Chart): SVGSVGElement {
  return shape(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    ...ticks.map(({ x, y }) => shape('path', { class: 'grid', d: `M${x + 8} ${y}H${width - 16}` })),
    ...ticks.map(({ x, y, text }) => shape('text', { class: 'tick', x, y: y + 4 }, text)),
    ...bars.map((bar) => shape('rect', { class: 'bar', ...bar, rx: 2 })),
    line !== '' && shape('path', { class: 'line', d: line }),
    ...(dots ? points.map(({ x, y }) => shape('circle', { class: 'point', cx: x, cy: y, r: 2.5 })) : []),
    ...labels.map(({ x, y, text }) => shape('text', { class: 'label', x, y }, text)),
    shape('path', { id: 'mark' }),
    shape('circle', { id: 'dot', r: 4.5 }),
  );
}

function ordinal(number: number): string {
  const tens = number % 100;
  const end = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${countText(number)}${end}`;
}
