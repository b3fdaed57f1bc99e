import { setImmediate } from 'node:timers/promises';
import { Canvas, type Color, widthOf } from './canvas.ts';
import { encodePng } from './encode-png.ts';
import type { Point } from './stroke-font.ts';

export const themes = ['light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** The values of one measure at the times of a chart; null is a gap. */
export interface ChartSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** `bars` are amounts in the hour before each time, `line` joins the values, `points` does not. */
  readonly kind: 'line' | 'bars' | 'points';
}

/** A panel of a chart: series that share one axis. */
export interface ChartPanel {
  /** The unit, which follows each label in the legend. */
  readonly unit: string;
  /** Whether the value axis begins at 0. */
  readonly fromZero: boolean;
  /** The ends and the step of the axis, if they do not depend on the values. */
  readonly range?: readonly [min: number, max: number, step: number];
  readonly series: readonly ChartSeries[];
}

export interface ChartTick {
  /** The time of the tick, in seconds since 1970. */
  readonly time: number;
  readonly label: string;
}

/** A day of the chart; `time` is the first time of the day that the chart shows. */
export interface DayTick extends ChartTick {
  /** The last time of the day that the chart shows, in seconds since 1970. */
  readonly last: number;
  /** The label that is used when days are narrow. */
  readonly short: string;
}

export interface Chart {
  readonly title: string;
  readonly subtitle: string;
  /** A small text below the chart. */
  readonly footer: string;
  /** The times of the values, in seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** The ticks of hours. Each of `days` begins with a vertical line. */
  readonly hours: readonly ChartTick[];
  readonly days: readonly DayTick[];
  readonly panels: readonly ChartPanel[];
}

interface Palette {
  readonly background: Color;
  readonly text: Color;
  readonly muted: Color;
  readonly grid: Color;
  readonly day: Color;
  readonly series: readonly Color[];
}

const palettes: { readonly [T in Theme]: Palette } = {
  light: {
    background: [255, 255, 255],
    text: [28, 30, 34],
    muted: [92, 97, 106],
    grid: [230, 232, 236],
    day: [176, 182, 192],
    series: [
      [204, 78, 40],
      [32, 102, 196],
      [30, 132, 84],
      [130, 72, 182],
    ],
  },
  dark: {
    background: [22, 24, 29],
    text: [236, 237, 240],
    muted: [160, 165, 175],
    grid: [46, 50, 58],
    day: [96, 102, 114],
    series: [
      [255, 150, 104],
      [112, 170, 255],
      [98, 212, 156],
      [202, 158, 255],
    ],
  },
};

const width = 800;
const plot = { left: 58, right: 784, top: 76, height: 118, gap: 40 };
const axisHeight = 74;
const sizes = { title: 13, text: 9, label: 8 };
const legendGap = 22;
const minTickDistance = 30;

/** Draws a PNG 800 pixels wide, panels one below the other. Yields to the event loop after each panel. */
export async function drawChart(chart: Chart, theme: Theme): Promise<Uint8Array> {
  const palette = palettes[theme];
  const height = plot.top + chart.panels.length * (plot.height + plot.gap) - plot.gap + axisHeight;
  const canvas = new Canvas(width, height, palette.background);
  canvas.text(chart.title, 16, 27, { color: palette.text, size: sizes.title, bold: true });
  canvas.text(chart.subtitle, 16, 45, { color: palette.muted, size: sizes.text });
  const hasBars = chart.panels.some(({ series }) => series.some(({ kind }) => kind === 'bars'));
  const time = timeScale(chart.times, hasBars);
  let color = 0;
  for (const [index, panel] of chart.panels.entries()) {
    const top = plot.top + index * (plot.height + plot.gap);
    drawTimeLines(canvas, chart, top, time, palette);
    drawPanel(canvas, { chart, panel, top, time, palette, color });
    color += panel.series.length;
    await setImmediate();
  }
  drawTimeAxis(canvas, chart, height - axisHeight, time, palette);
  canvas.text(chart.footer, 16, height - 12, { color: palette.muted, size: sizes.label });
  return encodePng(canvas);
}

type Scale = (value: number) => number;

/** Maps times to horizontal positions. With bars, the scale begins an hour earlier, as the first bar does. */
function timeScale(times: readonly number[], hasBars: boolean): Scale {
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const from = hasBars ? first - 3_600 : first === last ? first - 1_800 : first;
  const span = Math.max(3_600, last - from);
  return (time) => plot.left + ((time - from) / span) * (plot.right - plot.left);
}

interface PanelDrawing {
  readonly chart: Chart;
  readonly panel: ChartPanel;
  readonly top: number;
  readonly time: Scale;
  readonly palette: Palette;
  /** The index of the color of the panel's first series. */
  readonly color: number;
}

function drawPanel(canvas: Canvas, { chart, panel, top, time, palette, color }: PanelDrawing): void {
  const bottom = top + plot.height;
  const { ticks, min, max } = axisOf(panel);
  const scale: Scale = (value) => bottom - ((value - min) / (max - min)) * plot.height;
  for (const tick of ticks) {
    const y = Math.round(scale(tick));
    canvas.fill(plot.left, y, plot.right, y + 1, tick === 0 ? palette.day : palette.grid);
    const label = tickText(tick, ticks);
    canvas.text(label, plot.left - 8, y + sizes.label / 2, {
      color: palette.muted,
      size: sizes.label,
      align: 'end',
    });
  }
  let left = plot.left;
  for (const [index, series] of panel.series.entries()) {
    const paint = palette.series[(color + index) % palette.series.length]!;
    drawSeries(canvas, series, { times: chart.times, time, scale, zero: scale(Math.max(0, min)), paint });
    const label = `${series.label}${panel.unit === '' ? '' : ` ${panel.unit}`}${remarkOf(series)}`;
    canvas.fill(left, top - 14, left + 14, top - 10, paint);
    canvas.text(label, left + 20, top - 8, { color: palette.text, size: sizes.text });
    left += 20 + widthOf(label, sizes.text) + legendGap;
  }
}

/** Returns the text after a series' label if there is nothing to draw: no data, or all amounts are 0. */
function remarkOf({ kind, values }: ChartSeries): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return ': no data';
  return kind === 'bars' && known.every((value) => value === 0) ? ': none' : '';
}

interface SeriesDrawing {
  readonly times: readonly number[];
  readonly time: Scale;
  readonly scale: Scale;
  /** The vertical position at which bars begin. */
  readonly zero: number;
  readonly paint: Color;
}

function drawSeries(
  canvas: Canvas,
  { values, kind }: ChartSeries,
  { times, time, scale, zero, paint }: SeriesDrawing,
): void {
  let line: Point[] = [];
  const lines = [line];
  for (const [index, value] of values.entries()) {
    const at = times[index]!;
    // The line is also interrupted where times are missing, that is, after a gap of more than 3 hours.
    if (value === null || at - (times[index - 1] ?? at) > 3 * 3_600) lines.push((line = []));
    if (value === null) continue;
    const [x, y] = [time(at), scale(value)];
    if (kind === 'bars') {
      const start = Math.max(plot.left, time(at - 3_600));
      if (y < zero) canvas.fill(start + 0.5, y, Math.max(x - 0.5, start + 1.5), zero, paint);
    } else if (kind === 'points') canvas.stroke([[[x, y]]], 3, paint);
    else line.push([x, y]);
  }
  const isAlone = ({ length }: readonly Point[]) => length === 1;
  canvas.stroke(
    lines.filter((each) => !isAlone(each)),
    2,
    paint,
  );
  // A line of a single point has no length, so it is drawn as a dot.
  canvas.stroke(lines.filter(isAlone), 6, paint);
}

function drawTimeLines(
  canvas: Canvas,
  { hours, days }: Chart,
  top: number,
  time: Scale,
  palette: Palette,
): void {
  const line = (tick: ChartTick, color: Color) => {
    const x = Math.round(time(tick.time));
    if (x >= plot.left && x <= plot.right) canvas.fill(x, top, x + 1, top + plot.height, color);
  };
  for (const tick of hours) line(tick, palette.grid);
  for (const tick of days) line(tick, palette.day);
}

function drawTimeAxis(
  canvas: Canvas,
  { hours, days }: Chart,
  top: number,
  time: Scale,
  palette: Palette,
): void {
  const dayWidth = time(86_400) - time(0);
  // If days are so narrow that only one hour of each would have a label, hours get no labels.
  const hasHours = dayWidth >= 2 * minTickDistance;
  let last = Number.NEGATIVE_INFINITY;
  for (const tick of hasHours ? hours : []) {
    const x = time(tick.time);
    if (x - last < minTickDistance) continue;
    last = x;
    canvas.text(tick.label, x, top + 16, { color: palette.muted, size: sizes.label, align: 'middle' });
  }
  const areWide = days.every(({ label }) => widthOf(label, sizes.text) + 8 < dayWidth);
  for (const [index, tick] of days.entries()) {
    const { from, to } = roomOf(days, index, time);
    const label = areWide ? tick.label : tick.short;
    const width = widthOf(label, sizes.text);
    if (to - from <= width + 4) continue;
    const middle = (time(tick.time) + time(tick.last)) / 2;
    canvas.text(
      label,
      Math.min(Math.max(middle, from + width / 2), to - width / 2),
      top + (hasHours ? 35 : 18),
      { color: palette.text, size: sizes.text, align: 'middle' },
    );
  }
}

/** Returns the horizontal range for a day's label. A gap between two days is divided at its middle. */
function roomOf(days: readonly DayTick[], index: number, time: Scale): { from: number; to: number } {
  const boundary = (before: DayTick | undefined, after: DayTick | undefined) => {
    if (!before) return plot.left;
    if (!after) return plot.right;
    const hasGap = after.time - before.last > 3 * 3_600;
    return time(hasGap ? (before.last + after.time) / 2 : after.time);
  };
  return { from: boundary(days[index - 1], days[index]), to: boundary(days[index], days[index + 1]) };
}

interface Axis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

/** An axis that covers all values; its ticks and its ends are round numbers. */
function axisOf({ series, fromZero, range }: ChartPanel): Axis {
  const values = series.flatMap((each) => each.values).filter((value) => value !== null);
  let [low, high] = range ?? [Math.min(...values), Math.max(...values)];
  if (values.length === 0 && !range) [low, high] = [0, 1];
  if (fromZero) low = Math.min(0, low);
  if (high - low < 1e-9) high = low + 1;
  const step = range?.[2] ?? roundStep((high - low) / 4);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => round((first + index) * step));
  return { min: ticks[0]!, max: ticks.at(-1)!, ticks };
}

/** The least number of the form 1, 2, 2.5 or 5 times a power of ten that is not less than `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return ([1, 2, 2.5, 5].find((each) => each * power >= step - 1e-9) ?? 10) * power;
}

function round(value: number): number {
  return Number(value.toPrecision(12)) + 0;
}

/** The label of a tick. All labels have as many decimals as the tick with the most decimals. */
function tickText(tick: number, ticks: readonly number[]): string {
  const digits = Math.max(...ticks.map((each) => (String(each).split('.')[1] ?? '').length));
  return tick.toFixed(digits).replace('-', '–');
}
