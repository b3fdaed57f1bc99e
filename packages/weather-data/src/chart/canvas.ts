import { glyphsOf, type Point } from './stroke-font.ts';

export type Color = readonly [red: number, green: number, blue: number];

interface TextStyle {
  readonly color: Color;
  /** The height of capitals in pixels. */
  readonly size: number;
  /** The part of the text that is at the given position; defaults to its start. */
  readonly align?: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
}

const capHeight = 6;
/** The number of antialiasing levels, so small that the colors of a chart fit into a palette. */
const shades = 8;
const letterSpacing = 1.5;

export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;

  constructor(width: number, height: number, background: Color) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3);
    // Copies the filled part repeatedly, which is much faster than filling pixel by pixel.
    this.pixels.set(background);
    for (let filled = 3; filled < this.pixels.length; filled *= 2) this.pixels.copyWithin(filled, 0, filled);
  }

  /** Fills a rectangle; its edges may lie between pixels. */
  fill(left: number, top: number, right: number, bottom: number, color: Color): void {
    for (let y = Math.floor(top); y < bottom; y++) {
      const height = Math.min(y + 1, bottom) - Math.max(y, top);
      for (let x = Math.floor(left); x < right; x++) {
        this.#blend(x, y, color, height * (Math.min(x + 1, right) - Math.max(x, left)));
      }
    }
  }

  /** Draws lines as with one pen stroke: a pixel where lines meet or cross is painted only once. */
  stroke(lines: readonly (readonly Point[])[], width: number, color: Color): void {
    const coverage = new Map<number, number>();
    for (const line of lines) {
      for (const [index, end] of line.entries()) {
        if (index > 0 || line.length === 1) this.#cover(line[index - 1] ?? end, end, width / 2, coverage);
      }
    }
    for (const [at, part] of coverage) {
      const shade = Math.round(part * shades) / shades;
      this.#blend(at % this.width, Math.floor(at / this.width), color, shade);
    }
  }

  /** Draws a text with its base line at `y`. */
  text(text: string, x: number, y: number, style: TextStyle): void {
    const { color, size, align = 'start', bold = false } = style;
    const scale = size / capHeight;
    const width = widthOf(text, size);
    let left = align === 'start' ? x : align === 'middle' ? x - width / 2 : x - width;
    const lines: Point[][] = [];
    for (const glyph of glyphsOf(text)) {
      for (const line of glyph.lines) {
        lines.push(line.map(([a, b]): Point => [left + a * scale, y + (b - capHeight) * scale]));
      }
      left += (glyph.width + letterSpacing) * scale;
    }
    this.stroke(lines, (bold ? 0.19 : 0.145) * size, color);
  }

  #cover([x1, y1]: Point, [x2, y2]: Point, radius: number, coverage: Map<number, number>): void {
    const reach = radius + 1;
    const length2 = (x2 - x1) ** 2 + (y2 - y1) ** 2;
    const [top, bottom] = [Math.min(y1, y2) - reach, Math.max(y1, y2) + reach];
    const [left, right] = [Math.min(x1, x2) - reach, Math.max(x1, x2) + reach];
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(this.height, bottom); y++) {
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(this.width, right); x++) {
        const [px, py] = [x + 0.5, y + 0.5];
        const along = length2 === 0 ? 0 : ((px - x1) * (x2 - x1) + (py - y1) * (y2 - y1)) / length2;
        const part = Math.max(0, Math.min(1, along));
        const distance = Math.hypot(px - x1 - part * (x2 - x1), py - y1 - part * (y2 - y1));
        const covered = Math.min(1, radius + 0.5 - distance);
        const at = y * this.width + x;
        if (covered > (coverage.get(at) ?? 0)) coverage.set(at, covered);
      }
    }
  }

  #blend(x: number, y: number, color: Color, part: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const at = (y * this.width + x) * 3;
    const { pixels } = this;
    for (let channel = 0; channel < 3; channel++) {
      const before = pixels[at + channel]!;
      pixels[at + channel] = Math.round(before + (color[channel]! - before) * part);
    }
  }
}

/** The width of a text in pixels. */
export function widthOf(text: string, size: number): number {
  const widths = glyphsOf(text).map(({ width }) => width + letterSpacing);
  return ((widths.reduce((sum, width) => sum + width, 0) - letterSpacing) * size) / capHeight;
}
