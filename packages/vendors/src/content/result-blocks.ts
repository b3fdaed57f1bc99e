import { isObject } from '@mcp/kit';

/**
 * A block of a tool's result, as in `tools/call`: text, an image, audio, an embedded resource or a resource
 * link.
 */
export type ResultBlock = { readonly type: string; readonly [key: string]: unknown };

/** Media of a result: base64 data and its MIME type. */
export interface Media {
  readonly mimeType: string;
  readonly data: string;
}

/**
 * The text of a block: its own, that of its embedded resource, or a description of its resource link.
 * Undefined for media; JSON for blocks of other types.
 */
export function textOf(block: ResultBlock): string | undefined {
  const { resource } = block;
  if (block.type === 'text' && typeof block['text'] === 'string') return block['text'];
  if (block.type === 'resource' && isObject(resource)) {
    if (typeof resource['text'] === 'string') return resource['text'];
    return mediaOf(block) ? undefined : JSON.stringify(resource);
  }
  if (block.type === 'resource_link') {
    const [name, uri, description] = ['name', 'uri', 'description'].map((key) => block[key]);
    const heading = `${typeof name === 'string' ? name : 'Resource'}: ${typeof uri === 'string' ? uri : '?'}`;
    return typeof description === 'string' ? `${heading}\n${description}` : heading;
  }
  return mediaOf(block) ? undefined : JSON.stringify(block);
}

/** The image, audio or binary resource of a content block; undefined for other blocks. */
export function mediaOf(block: ResultBlock): Media | undefined {
  const { type, resource } = block;
  const { data, mimeType } = block;
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string') {
    return { mimeType, data };
  }
  if (type === 'resource' && isObject(resource) && typeof resource['blob'] === 'string') {
    const { mimeType: own } = resource;
    return { mimeType: typeof own === 'string' ? own : 'application/octet-stream', data: resource['blob'] };
  }
  return undefined;
}

/** A text that shows the MIME type and the size of media, for a reader that accepts only text. */
export function mediaPlaceholder({ mimeType, data }: Media): string {
  return `[${mimeType}, ${Buffer.byteLength(data, 'base64')} bytes]`;
}

/** The text of all content blocks; media are replaced by placeholders. */
export function textOfAll(blocks: readonly ResultBlock[]): string {
  return blocks.map((block) => textOf(block) ?? mediaPlaceholder(mediaOf(block)!)).join('\n\n');
}

export function isImage({ mimeType }: Media): boolean {
  return mimeType.startsWith('image/');
}
