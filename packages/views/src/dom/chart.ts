import { type Chart, type ChartPair, chartOf, nearestPoint } from '../model/chart.ts';
import { element, region, shape } from './element.ts';

/** What a chart shows. */
export interface ChartData {
  /** The names of the values across and up. */
  readonly names: readonly [x: string, y: string];
  readonly pairs: readonly ChartPair[];
}

/**
 * Makes a function that shows pairs of values in a part of the page: a line over numbers and times, bars
 * over few other values, or else dots. A pair is read by pointing at it, or by the arrow keys. The function
 * returns the chart; undefined without numbers.
 */
export function chartIn(part: HTMLElement): (data: ChartData) => Chart | undefined {
  const readout = element('output', { class: 'quiet' });
  const picture = element('div', { class: 'picture' });
  const slider = element('input', {
    type: 'range',
    class: 'spoken',
    min: 0,
    value: 0,
    'aria-label': 'Point',
  });
  const draw = region(picture, (chart: Chart | undefined) => (chart ? [pictureOf(chart)] : []));
  let data: ChartData | undefined;
  let chart: Chart | undefined;
  part.append(readout, picture, slider);

  const mark = (index: number) => {
    const point = chart?.points[index];
    if (!point || !data) return;
    const [across, up] = data.names.map((name, at) => `${name}: ${point.texts[at]}`);
    slider.value = String(index);
    readout.textContent = `${across}, ${up}`;
    slider.setAttribute('aria-valuetext', readout.textContent);
    picture.querySelector('.mark')?.setAttribute('d', `M${point.x} 14V266`);
    picture.querySelector('.dot')?.setAttribute('transform', `translate(${point.x} ${point.y})`);
  };
  const update = () => {
    const width = part.clientWidth;
    if (!data || width === 0) return;
    chart = chartOf(data.pairs, width);
    draw(chart);
    slider.hidden = !chart;
    readout.textContent = '';
    if (!chart) return;
    const last = chart.points.length - 1;
    slider.max = String(last);
    mark(Math.min(Number(slider.value), last));
  };
  const point = ({ clientX }: PointerEvent) => {
    if (chart) mark(nearestPoint(chart, clientX - picture.getBoundingClientRect().left));
  };
  picture.addEventListener('pointermove', point);
  picture.addEventListener('pointerdown', point);
  slider.addEventListener('input', () => mark(Number(slider.value)));
  new ResizeObserver(update).observe(part);
  return (next) => {
    data = next;
    update();
    return chart;
  };
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
    shape('path', { class: 'mark' }),
    shape('circle', { class: 'dot', r: 4.5 }),
  );
}
