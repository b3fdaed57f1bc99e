import { convertIndexedToRgb, decode, type DecodedPng } from 'fast-png';
import { image2sixel } from 'sixel/lib/SixelEncoder.js';

/** Maximum size of an image that is decoded, in pixels of 4 bytes. */
const maxPixels = 16 * 1024 * 1024;

/**
 * The control sequence that shows a PNG as sixels of at most 256 colours; undefined if the image is broken or
 * too large.
 */
export function sixelSequence(png: Uint8Array): string | undefined {
  if (png.length < 24) return undefined;
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength);
  if (header.getUint32(16) * header.getUint32(20) > maxPixels) return undefined;
  try {
    const image = decode(png);
    // Without a palette, `decode` returns several samples of less than 8 bits in one byte, which `rgbaOf`
    // cannot read.
    if (image.depth < 8 && !image.palette) return undefined;
    return image2sixel(rgbaOf(image), image.width, image.height, 256);
  } catch {
    return undefined;
  }
}

function rgbaOf(image: DecodedPng): Uint8ClampedArray {
  const { width, height, depth, palette } = image;
  const samples = palette ? convertIndexedToRgb(image) : image.data;
  const channels = palette ? (palette[0]?.length ?? 3) : image.channels;
  // Scales samples of 16 bits to 8 bits.
  const scale = palette ? 1 : 255 / (2 ** depth - 1);
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const sample = (channel: number) => samples[pixel * channels + channel]! * scale;
    const isGrey = channels < 3;
    for (let channel = 0; channel < 3; channel++) rgba[pixel * 4 + channel] = sample(isGrey ? 0 : channel);
    rgba[pixel * 4 + 3] = channels % 2 === 0 ? sample(channels - 1) : 255;
  }
  return rgba;
}
