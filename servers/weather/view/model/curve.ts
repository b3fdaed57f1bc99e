import { inUnit, unitOf, type UnitSystem } from '@mcp/weather-data/units';
import { extentOf, roundTicks, scaleOf, smoothPath, withoutGaps } from '@mcp/views/model';
import { weekdayOf } from './dates.ts';
import type { Moment } from './weather.ts';

/** The vertical places of the parts of the picture, in pixels. */
const panels = {
  days: 14,
  temperature: { top: 34, bottom: 158 },
  rain: { top: 182, bottom: 226 },
  wind: { top: 250, bottom: 286 },
  arrows: 302,
  hours: 328,
} as const;
const sides = { left: 40, right: 14 } as const;
export const curveHeight = 336;

interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** The hours as shapes of SVG. */
export interface Curve {
  readonly width: number;
  readonly nights: readonly { readonly x: number; readonly width: number }[];
  readonly grid: readonly Label[];
  readonly lines: readonly string[];
  readonly areas: readonly string[];
  readonly bars: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  readonly wind: readonly string[];
  readonly gusts: readonly string[];
  readonly arrows: readonly { readonly x: number; readonly y: number; readonly degrees: number }[];
  /** The captions of the panels, in their order. */
  readonly captions: readonly Label[];
  readonly hours: readonly Label[];
  readonly days: readonly Label[];
  /** Where midnights are. */
  readonly midnights: readonly number[];
  /** The place of each hour; `y` is that of its temperature. */
  readonly points: readonly { readonly x: number; readonly y: number | null }[];
  readonly nowX: number | undefined;
}

interface CurveOptions {
  /** In CSS pixels. */
  readonly width: number;
  readonly units: UnitSystem;
  /** In milliseconds since 1970. */
  readonly now: number;
}

export function curveOf(hours: readonly Moment[], { width, units, now }: CurveOptions): Curve {
  const [first, last] = [hours[0]?.at ?? 0, hours.at(-1)?.at ?? 1];
  const x = scaleOf([first, last], sides.left, width - sides.right);
  const { temperature, rain, wind } = panels;

  const shown = (quantity: 'temperature' | 'speed' | 'precipitation', value: number | null) =>
    value === null ? null : unitOf(quantity, units).from(value);
  const temperatures = hours.map((hour) => shown('temperature', hour.temperature));
  const ticks = roundTicks(extentOf(temperatures) ?? [0, 1], 4);
  const y = scaleOf([ticks[0]!, ticks.at(-1)!], temperature.bottom, temperature.top);
  const points = hours.map(({ at }, index) => {
    const value = temperatures[index]!;
    return { x: x(at), y: value === null ? null : y(value) };
  });
  const parts = withoutGaps(points);

  const most = Math.max(...hours.map(({ precipitation }) => precipitation ?? 0), 1);
  const height = scaleOf([0, most], 0, rain.bottom - rain.top);
  const fastest = Math.max(...hours.map((hour) => Math.max(hour.wind ?? 0, hour.gusts ?? 0)), 20);
  const windY = scaleOf([0, fastest], wind.bottom, wind.top);
  const speeds = (name: 'wind' | 'gusts') =>
    withoutGaps(hours.map((hour) => ({ x: x(hour.at), y: hour[name] === null ? null : windY(hour[name]) })));

  const every = [1, 2, 3, 4, 6, 12].find((step) => (width * step) / hours.length >= 44) ?? 12;
  const labelled = hours.filter(({ clock }) => Number(clock.slice(0, 2)) % every === 0);
  const midnights = hours.filter(({ clock }, index) => index > 0 && clock === '00:00').map(({ at }) => x(at));
  const unitText = (quantity: 'speed' | 'precipitation', value: number) =>
    `${inUnit(value, unitOf(quantity, units))} ${unitOf(quantity, units).label}`;

  return {
    width,
    nights: nightsOf(hours).map(([from, to]) => ({ x: x(from), width: x(to) - x(from) })),
    grid: ticks.map((tick) => ({
      x: sides.left - 8,
      y: y(tick),
      text: `${tick}${units === 'si' ? '' : '°'}`.replace('-', '−'),
    })),
    lines: parts.map(smoothPath),
    areas: parts.map((part) => {
      const [from, to] = [part[0]!, part.at(-1)!];
      return `${smoothPath(part)}L${to.x} ${temperature.bottom}L${from.x} ${temperature.bottom}Z`;
    }),
    bars: hours.flatMap(({ at, precipitation }, index) => {
      const from = hours[index - 1]?.at;
      // The amount fell in the hour before its time.
      if (!precipitation || from === undefined) return [];
      const [left, right] = [x(from), x(at)];
      const tall = Math.max(2, height(precipitation));
      return { x: left + 1, y: rain.bottom - tall, width: Math.max(1, right - left - 2), height: tall };
    }),
    wind: speeds('wind').map(
      (part) => `${smoothPath(part)}L${part.at(-1)!.x} ${wind.bottom}L${part[0]!.x} ${wind.bottom}Z`,
    ),
    gusts: speeds('gusts').map(smoothPath),
    arrows: labelled.flatMap(({ at, direction }) =>
      direction === null ? [] : { x: x(at), y: panels.arrows, degrees: Math.round(direction) },
    ),
    captions: [
      {
        x: sides.left + 6,
        y: rain.top - 8,
        text: `Precipitation, up to ${unitText('precipitation', most)} an hour`,
      },
      { x: sides.left + 6, y: wind.top - 8, text: `Wind and gusts, up to ${unitText('speed', fastest)}` },
    ],
    hours: labelled.map(({ at, clock }) => ({ x: x(at), y: panels.hours, text: clock.slice(0, 2) })),
    days: dayLabels(hours, x),
    midnights,
    points,
    nowX: now >= first && now <= last ? x(now) : undefined,
  };
}

/** The weekday at the beginning, and at each midnight that is not right at the end. */
function dayLabels(hours: readonly Moment[], x: (at: number) => number): Label[] {
  const starts = hours.filter(({ date }, index) => date !== hours[index - 1]?.date);
  return starts.flatMap(({ at, date }, index) => {
    const next = x(starts[index + 1]?.at ?? hours.at(-1)!.at);
    return next - x(at) < 36 ? [] : { x: x(at) + 6, y: panels.days, text: weekdayOf(date) };
  });
}

/** The beginnings and ends of the times without the sun. */
function nightsOf(hours: readonly Moment[]): (readonly [from: number, to: number])[] {
  const nights: [number, number][] = [];
  for (const [index, { at, isDay }] of hours.entries()) {
    if (isDay) continue;
    const next = hours[index + 1]?.at ?? at;
    const last = nights.at(-1);
    if (last?.[1] === at) last[1] = next;
    else nights.push([at, next]);
  }
  return nights;
}

/** The index of the hour nearest to a horizontal place in the picture. */
export function nearestIndex({ points }: Curve, x: number): number {
  const distances = points.map((point) => Math.abs(point.x - x));
  return Math.max(0, distances.indexOf(Math.min(...distances)));
}
