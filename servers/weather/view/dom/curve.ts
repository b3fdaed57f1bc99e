import type { UnitSystem } from '@mcp/weather-data/units';
import { type Curve, curveHeight, curveOf, nearestIndex } from '../model/curve.ts';
import { currentIndex, dateText, weekdayOf } from '../model/dates.ts';
import { valueText, windText } from '../model/quantities.ts';
import type { Moment } from '../model/weather.ts';
import { byId, element, region, shape } from '@mcp/views/dom';

export interface Hours {
  readonly hours: readonly Moment[];
  /** Rounded to minutes, so that equal pictures are not drawn again. */
  readonly now: number;
  readonly units: UnitSystem;
  readonly title: string;
}

/** The curve of some hours. An hour is chosen by pointing at it, or with the keys of the slider below it. */
export class CurvePart {
  readonly #picture = byId('picture');
  readonly #slider = byId('hour') as HTMLInputElement;
  // Changes only with its text, because screen readers read it then.
  readonly #say = region(byId('readout'), (texts: readonly string[]) => {
    const [time = '', ...values] = texts;
    return [element('strong', {}, time), ...values.map((text) => element('span', {}, text))];
  });
  readonly #draw = region(this.#picture, (curve: Curve) => [curveNode(curve)]);
  #shown: Hours | undefined;
  #curve: Curve | undefined;
  /** The hour that the user has chosen, in milliseconds since 1970. */
  #chosen: number | undefined;

  constructor() {
    new ResizeObserver(() => this.#update()).observe(this.#picture.parentElement!);
    this.#slider.addEventListener('input', () => this.#choose(Number(this.#slider.value)));
    const point = ({ clientX }: PointerEvent) => {
      if (this.#curve)
        this.#choose(nearestIndex(this.#curve, clientX - this.#picture.getBoundingClientRect().left));
    };
    this.#picture.addEventListener('pointermove', point);
    this.#picture.addEventListener('pointerdown', point);
  }

  show(shown: Hours): void {
    this.#shown = shown;
    byId('curve').hidden = shown.hours.length < 2;
    byId('curve-title').textContent = shown.title;
    this.#update();
  }

  #choose(index: number): void {
    this.#chosen = this.#shown?.hours[index]?.at;
    this.#mark();
  }

  #update(): void {
    const width = this.#picture.clientWidth;
    if (!this.#shown || width === 0) return;
    this.#curve = curveOf(this.#shown.hours, { ...this.#shown, width });
    this.#draw(this.#curve);
    this.#slider.max = String(this.#shown.hours.length - 1);
    this.#mark();
  }

  /** Marks the hour that is chosen, or else the present one, and says its values. */
  #mark(): void {
    const { hours, now, units } = this.#shown!;
    const chosen = hours.findIndex(({ at }) => at === this.#chosen);
    const index = chosen >= 0 ? chosen : currentIndex(hours, now);
    const [hour, point] = [hours[index], this.#curve?.points[index]];
    if (!hour || !point) return;
    this.#slider.value = String(index);
    this.#slider.setAttribute('aria-valuetext', `${weekdayOf(hour.date)} ${hour.clock}`);
    this.#say(readout(hour, units));
    const [line, dot] = ['#mark', '#dot'].map((id) => this.#picture.querySelector(id)!);
    line!.setAttribute('d', `M${point.x} 22V316`);
    dot!.setAttribute('transform', `translate(${point.x} ${point.y ?? -20})`);
  }
}

/** The hour, and its values. */
function readout(hour: Moment, units: UnitSystem): string[] {
  return [
    `${dateText(hour.date)}, ${hour.clock}`,
    hour.condition,
    valueText(hour.temperature, 'temperature', units),
    rainText(hour, units),
    `wind ${windText(hour, units)}`,
  ].filter((text) => text !== '');
}

function rainText({ precipitation, chance }: Moment, units: UnitSystem): string {
  const percent = chance === null ? '' : `${Math.round(chance)} %`;
  if (precipitation === null) return percent && `${percent} chance of precipitation`;
  return `${valueText(precipitation, 'precipitation', units)}${percent && ` (${percent})`} in the hour before`;
}

function curveNode(curve: Curve): SVGSVGElement {
  const { width } = curve;
  const path = (name: string) => (d: string) => shape('path', { class: name, d });
  const text = (name: string) => (label: { x: number; y: number; text: string }) =>
    shape('text', { class: name, x: label.x, y: label.y }, label.text);
  return shape(
    'svg',
    { viewBox: `0 0 ${width} ${curveHeight}`, width, height: curveHeight, 'aria-hidden': 'true' },
    ...curve.nights.map((night) => shape('rect', { class: 'night', ...night, y: 22, height: 294 })),
    ...curve.midnights.map((x) => path('midnight')(`M${x} 4V316`)),
    ...curve.grid.map(({ x, y }) => path('grid')(`M${x + 8} ${y}H${width - 14}`)),
    ...curve.grid.map(({ x, y, text: label }) => text('tick')({ x, y: y + 4, text: label })),
    ...curve.areas.map(path('warm-area')),
    curve.nowX !== undefined && path('present')(`M${curve.nowX} 22V316`),
    ...curve.lines.map(path('warm')),
    ...curve.bars.map((bar) => shape('rect', { class: 'bar', ...bar, rx: 1.5 })),
    path('base')(`M40 226.5H${width - 14}`),
    ...curve.wind.map(path('wind-area')),
    ...curve.gusts.map(path('gusts')),
    ...curve.arrows.map(({ x, y, degrees }) =>
      // The arrow points to where the wind blows.
      shape('path', {
        class: 'arrow',
        d: 'M0 5V-5M-3.5 1.5L0 5L3.5 1.5',
        transform: `translate(${x} ${y}) rotate(${degrees})`,
      }),
    ),
    ...curve.captions.map(text('caption')),
    ...curve.hours.map(text('hour')),
    ...curve.days.map(text('weekday')),
    shape('path', { id: 'mark', class: 'mark' }),
    shape('circle', { id: 'dot', class: 'dot', r: 5 }),
  );
}
