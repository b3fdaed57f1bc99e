import type { Media } from '@mcp/vendors/content';

/** Types of text. SVG is none of them: terminals show it as an image. */
const textual = /^(?:text\/|application\/(?:.+\+)?(?:json|xml|yaml|javascript)$)/i;

/** The text of media of a textual type; undefined for others, and if the bytes are no text in its charset. */
export function mediaText({ mimeType, data }: Media): string | undefined {
  const [type = '', ...parameters] = mimeType.split(';').map((each) => each.trim());
  if (!textual.test(type)) return undefined;
  const charset = parameters.find((each) => /^charset=/i.test(each)) ?? 'charset=utf-8';
  try {
    const decoder = new TextDecoder(charset.slice('charset='.length).replaceAll('"', ''), { fatal: true });
    return decoder.decode(Buffer.from(data, 'base64'));
  } catch {
    return undefined;
  }
}
