import { encode } from 'fast-png';
import type { Canvas } from './canvas.ts';

const maxColors = 256;

/**
 * Encodes an image as a PNG with a palette, which needs a third of the space of RGB. If the image has more
 * than 256 colors, the rarest are replaced by the closest color of the palette.
 */
export function encodePng({ width, height, pixels }: Canvas): Uint8Array {
  const counts = new Map<number, number>();
  const colors = new Uint32Array(width * height);
  // Most pixels have the color of the pixel before them, so each run of equal pixels is counted in one step.
  let last = -1;
  let run = 0;
  const count = () => counts.set(last, (counts.get(last) ?? 0) + run);
  for (let index = 0, at = 0; index < colors.length; index++, at += 3) {
    const color = (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!;
    colors[index] = color;
    if (color === last) run++;
    else {
      if (run > 0) count();
      [last, run] = [color, 1];
    }
  }
  count();
  const byFrequency = [...counts].toSorted((a, b) => b[1] - a[1]).map(([color]) => color);
  const kept = byFrequency.slice(0, maxColors);
  const indexes = new Map(kept.map((color, index) => [color, index]));
  for (const color of byFrequency.slice(maxColors)) indexes.set(color, closest(color, kept));
  const palette = kept.map(channelsOf);
  const data = new Uint8Array(colors.length);
  last = -1;
  let lastIndex = 0;
  for (let index = 0; index < colors.length; index++) {
    const color = colors[index]!;
    if (color !== last) [last, lastIndex] = [color, indexes.get(color)!];
    data[index] = lastIndex;
  }
  return encode({ width, height, data, channels: 1, depth: 8, palette });
}

function closest(color: number, palette: readonly number[]): number {
  const [red, green, blue] = channelsOf(color);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, other] of palette.entries()) {
    const [r, g, b] = channelsOf(other);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

function channelsOf(color: number): [red: number, green: number, blue: number] {
  return [color >> 16, (color >> 8) & 0xff, color & 0xff];
}
