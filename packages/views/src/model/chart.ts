import { extentOf, roundTicks, scaleOf } from './scale.ts';
import type { Point } from './smooth-path.ts';

const height = 300;
const sides = { top: 14, bottom: 34, left: 56, right: 16 } as const;
/** More bars than these would be lines. */
const maxBars = 80;
const labelWidth = 84;
const maxNumber = 1e150;

interface Label extends Point {
  readonly text: string;
}

/** A value of a pair: as it is shown, and as a number, if it is one. */
export interface ChartValue {
  readonly text: string;
  readonly number?: number | undefined;
}

/** A pair of values: across and up. */
export type ChartPair = readonly [x: ChartValue, y: ChartValue];

/** Pairs as shapes of SVG, in CSS pixels. */
export interface Chart {
  readonly width: number;
  readonly height: number;
  readonly ticks: readonly Label[];
  readonly labels: readonly Label[];
  readonly line: string;
  readonly bars: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  readonly dots: boolean;
  /** The place of each pair, and its values. */
  readonly points: readonly (Point & { readonly texts: readonly [x: string, y: string] })[];
}

/**
 * A line over ordered numbers or times, bars over few other values, or else dots. Undefined without numbers.
 */
export function chartOf(pairs: readonly ChartPair[], width: number): Chart | undefined {
  const known = pairs.flatMap(([x, y]) => {
    const value = numberOf(y);
    return value === undefined ? [] : [{ x, y, value }];
  });
  if (known.length === 0) return undefined;
  const places = placesOf(known.map(({ x }) => x));
  const isOrdered =
    places !== undefined && places.every((place, index) => index === 0 || place > places[index - 1]!);
  const isBars = places === undefined && known.length <= maxBars;

  const values = known.map(({ value }) => value);
  const [low, high] = extentOf(isBars ? [...values, 0] : values)!;
  const steps = roundTicks([low, high === low ? low + 1 : high], 5);
  const y = scaleOf([steps[0]!, steps.at(-1)!], height - sides.bottom, sides.top);
  const inner = width - sides.left - sides.right;
  const at = places ?? known.map((_, index) => index + 0.5);
  const extent = places ? extentOf(places)! : ([0, known.length] as const);
  const x = scaleOf(extent, sides.left, width - sides.right);
  const points = known.map((pair, index) => ({
    x: short(x(at[index]!)),
    y: short(y(pair.value)),
    texts: [pair.x.text, pair.y.text] as const,
  }));
  const zero = y(Math.min(Math.max(0, steps[0]!), steps.at(-1)!));
  const bar = Math.max(1, (inner / known.length) * 0.72);
  return {
    width,
    height,
    ticks: steps.map((step) => ({ x: sides.left - 8, y: short(y(step)), text: tickText(step) })),
    labels: labelsOf(points, inner),
    line: isOrdered ? `M${points.map(({ x: left, y: top }) => `${left} ${top}`).join('L')}` : '',
    bars: isBars
      ? points.map((point) => ({
          x: short(point.x - bar / 2),
          y: short(Math.min(point.y, zero)),
          width: short(bar),
          height: short(Math.max(1, Math.abs(point.y - zero))),
        }))
      : [],
    dots: !isBars && (!isOrdered || points.length <= 40),
    points,
  };
}

/** The numbers or times of all values; undefined if some are neither. */
function placesOf(values: readonly ChartValue[]): readonly number[] | undefined {
  const numbers = values.map(numberOf);
  if (numbers.every((number) => number !== undefined)) return numbers;
  const times = values.map(({ text }) => (isTime.test(text) ? Date.parse(text) : Number.NaN));
  return times.some(Number.isNaN) ? undefined : times;
}

const isTime = /^\d{4}-\d\d(-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?$/;

/** As near as a picture needs; undefined for a number that is too great for its sums. */
function numberOf({ number }: ChartValue): number | undefined {
  return number !== undefined && Math.abs(number) < maxNumber ? number : undefined;
}

/** The values of some points, as many as have room. */
function labelsOf(points: Chart['points'], width: number): Label[] {
  const labels: Label[] = [];
  const gap = Math.min(labelWidth, width / 2);
  for (const { x, texts } of points) {
    if (labels.some((label) => Math.abs(label.x - x) < gap)) continue;
    const [text] = texts;
    // The last one stays inside of the picture.
    labels.push({
      x: Math.min(x, sides.left + width - labelWidth / 4),
      y: height - 12,
      text: text.length > 12 ? `${text.slice(0, 11)}…` : text,
    });
  }
  return labels;
}

function tickText(value: number): string {
  const notation = Math.abs(value) >= 100_000 ? 'compact' : 'standard';
  return value.toLocaleString('en', { notation, maximumFractionDigits: 3 });
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The index of the point nearest to a horizontal place in the picture. */
export function nearestPoint({ points }: Chart, x: number): number {
  let nearest = 0;
  for (const [index, point] of points.entries())
    if (Math.abs(point.x - x) < Math.abs(points[nearest]!.x - x)) nearest = index;
  return nearest;
}
