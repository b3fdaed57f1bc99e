import { pathToFileURL } from 'node:url';
import { embeddedResource, textResourceContents, userMessage } from '@mcp/protocol';
import type { TextRead } from '@mcp/sandbox';

/** Returns a message of a prompt that has the text of a file or directory attached. */
export function attachment({ path, text }: Pick<TextRead, 'path' | 'text'>) {
  return userMessage(embeddedResource(textResourceContents(pathToFileURL(path).href, text, 'text/plain')));
}

/** Returns a sentence for a file of which only the beginning is attached; empty for others. */
export function cutNote({ truncated, size }: TextRead): string {
  return truncated ? ` Only its beginning is attached; it has ${size} bytes.` : '';
}
