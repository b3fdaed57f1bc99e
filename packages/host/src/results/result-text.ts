import type { CallToolResult, ReadResourceResult } from '@mcp/protocol/client';
import { mediaOf, mediaPlaceholder, textOf } from '../vendors/result-blocks.ts';
import type { ResultBlock } from '../vendors/vendor.ts';

/** A result of a tool for a person: its text, or its structured content where there is no text. */
export function toolResultText({ content, structuredContent }: CallToolResult): string {
  if (content.length === 0 && structuredContent !== undefined)
    return JSON.stringify(structuredContent, null, 2);
  return content.map((block) => blockText(block as ResultBlock)).join('\n\n');
}

export function resourceText({ contents }: ReadResourceResult): string {
  return contents.map((resource) => blockText({ type: 'resource', resource })).join('\n\n');
}

export function blockText(block: ResultBlock): string {
  const media = mediaOf(block);
  return textOf(block) ?? (media ? mediaPlaceholder(media) : '');
}
