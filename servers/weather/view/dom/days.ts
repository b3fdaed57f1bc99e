import type { UnitSystem } from '@mcp/weather-data/units';
import { dayRanges } from '../model/day-ranges.ts';
import { dateText, weekdayOf } from '../model/dates.ts';
import { degrees, valueText } from '../model/quantities.ts';
import type { Day } from '../model/weather.ts';
import { element, region, shape } from '@mcp/views/dom';
import { icon } from './icons.ts';

interface Days {
  readonly days: readonly Day[];
  /** The local date of the place. */
  readonly today: string;
  /** The dates of which the hours are known. */
  readonly withHours: readonly string[];
  /** The date whose hours are shown; undefined for the next hours. */
  readonly chosen: string | undefined;
  readonly units: UnitSystem;
}

/** The days: each shows its hours, where they are known. */
export function daysIn(part: HTMLElement, chosen: (date: string) => void): (days: Days) => void {
  return region(part, ({ days, today, withHours, chosen: current, units }) => {
    if (days.length === 0) return [];
    const ranges = dayRanges(days);
    const rows = days.map((day, index) => {
      const isChosen = day.date === (current ?? today);
      const row = element(
        'button',
        { type: 'button', 'aria-pressed': String(isChosen), disabled: !withHours.includes(day.date) },
        ...cells(day, { isToday: day.date === today, range: ranges[index], units }),
      );
      row.addEventListener('click', () => chosen(day.date));
      return element('li', {}, row);
    });
    return [element('h2', {}, `${days.length} days`), element('ol', { role: 'list' }, ...rows)];
  });
}

interface CellOptions {
  readonly isToday: boolean;
  readonly range: { readonly from: number; readonly to: number } | undefined;
  readonly units: UnitSystem;
}

function cells(day: Day, { isToday, range, units }: CellOptions): HTMLElement[] {
  const { low, high, precipitation, chance, wind } = day;
  const rain = [
    precipitation !== null && precipitation > 0 && valueText(precipitation, 'precipitation', units),
    chance !== null && chance > 0 && `${Math.round(chance)} %`,
  ].filter((text) => text !== false);
  return [
    element(
      'span',
      { class: 'day' },
      isToday ? 'Today' : weekdayOf(day.date),
      element('small', {}, dateText(day.date).slice(4)),
    ),
    element('span', {}, icon(day.sky), element('span', { class: 'spoken' }, `${day.condition}, `)),
    element('span', { class: 'rain' }, ...rain.map((text) => element('span', {}, text))),
    element('span', { class: 'low' }, element('span', { class: 'spoken' }, 'low '), degrees(low, units)),
    element('span', { class: 'range' }, rangeNode(range)),
    element('span', { class: 'high' }, element('span', { class: 'spoken' }, 'high '), degrees(high, units)),
    element('span', { class: 'wind' }, wind === null ? '' : valueText(wind, 'speed', units)),
  ];
}

function rangeNode(range: CellOptions['range']): SVGSVGElement {
  const line = (from: number, to: number, more: object) =>
    shape('line', { x1: from, x2: to, y1: 3, y2: 3, 'vector-effect': 'non-scaling-stroke', ...more });
  return shape(
    'svg',
    { viewBox: '-3 0 106 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    line(0, 100, { class: 'track' }),
    range && line(range.from, Math.max(range.to, range.from + 0.1), { stroke: 'url(#warmth)' }),
  );
}
