import { mediaPlaceholder, type ResultBlock, textOfAll } from '../content/result-blocks.ts';

export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
}

/** The result of a call, in the form of `tools/call`. */
export interface ToolResult {
  readonly content: readonly ResultBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/**
 * The result of a tool as text for the model. Its words are those of Cline and Roo Code, which use these
 * blocks.
 */
export function toolResultText(
  server: string,
  { content, structuredContent, isError = false }: ToolResult,
): string {
  const text = textOfAll(content);
  const structured =
    content.length === 0 && structuredContent !== undefined && JSON.stringify(structuredContent);
  return `[use_mcp_tool for '${server}'] Result:\n${isError ? 'Error:\n' : ''}${text || structured || '(No response)'}`;
}

/** The contents of a resource, in the same words as `toolResultText`. */
export function resourceResultText(server: string, contents: readonly ResourceContents[]): string {
  const text = contents
    .map(
      (each) =>
        each.text ??
        mediaPlaceholder({ mimeType: each.mimeType ?? 'application/octet-stream', data: each.blob ?? '' }),
    )
    .join('\n\n');
  return `[access_mcp_resource for '${server}'] Result:\n${text || '(Empty response)'}`;
}

/** The error of a block that could not be executed, in the same words as `toolResultText`. */
export function errorResultText(tag: string, server: string | undefined, message: string): string {
  const subject = server === undefined || server === '' ? `[${tag}]` : `[${tag} for '${server}']`;
  return `${subject} Result:\nThe tool execution failed with the following error:\n<error>\n${message}\n</error>`;
}
