import type { Media } from '@mcp/vendors/content';
import type { ImageProtocol } from './image-protocol.ts';

/** Maximum length of the payload of one kitty sequence, in characters. */
const maxKittyChunk = 4_096;

/** The types of images that each protocol takes without conversion. */
const mimeTypes: Readonly<Record<ImageProtocol, readonly string[]>> = {
  kitty: ['image/png'],
  iterm: ['image/png', 'image/jpeg', 'image/gif'],
  sixel: ['image/png'],
};

/** The control sequence that shows an image; undefined for another type, or a broken image. */
export async function imageSequence(
  { mimeType, data }: Media,
  protocol: ImageProtocol,
): Promise<string | undefined> {
  if (!mimeTypes[protocol].includes(mimeType)) return undefined;
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) return undefined;
  if (protocol === 'sixel') {
    const { sixelSequence } = await import('./sixel-sequence.ts');
    return sixelSequence(bytes);
  }
  // The bytes are encoded again, so that nothing but base64 reaches the terminal.
  const base64 = bytes.toString('base64');
  return protocol === 'kitty' ? kittySequence(base64) : itermSequence(base64, bytes.length);
}

/** @see https://sw.kovidgoyal.net/kitty/graphics-protocol/ */
function kittySequence(base64: string): string {
  const chunks: string[] = [];
  for (let at = 0; at < base64.length; at += maxKittyChunk) chunks.push(base64.slice(at, at + maxKittyChunk));
  return chunks
    .map((chunk, index) => {
      const more = `m=${index === chunks.length - 1 ? 0 : 1}`;
      return `\u001b_G${index === 0 ? `a=T,f=100,q=2,${more}` : more};${chunk}\u001b\\`;
    })
    .join('');
}

/** @see https://iterm2.com/documentation-images.html */
function itermSequence(base64: string, size: number): string {
  return `\u001b]1337;File=inline=1;size=${size};preserveAspectRatio=1:${base64}\u0007`;
}
