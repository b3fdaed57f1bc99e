import { defineExtension } from '@mcp/protocol';

/** The type of the content of a view. */
export const viewMimeType = 'text/html;profile=mcp-app';

/** The revisions in which tools and contents of resources have the `_meta` that carries views. */
const revisions = ['2026-07-28', '2025-11-25', '2025-06-18'];

/**
 * The extension for views, MCP Apps (SEP-1865). Servers declare it by `serveViews`, clients by
 * `viewsCapability`: one that shows other types of content only does not support it.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 * @example
 * ```ts
 * import { defineTool, supportsExtension } from '@mcp/protocol';
 * import { viewsExtension } from '@mcp/views';
 *
 * export const table = defineTool({
 *   name: 'table',
 *   description: 'Shows the table.',
 *   run: (_, call) => (supportsExtension(call, viewsExtension) ? '3 rows, as shown' : 'a | b | c'),
 * });
 * ```
 */
export const viewsExtension = defineExtension({
  id: 'io.modelcontextprotocol/ui',
  revisions,
  accepts: ({ mimeTypes }) => Array.isArray(mimeTypes) && mimeTypes.includes(viewMimeType),
});

/**
 * What a client that shows views declares: its option `extensions`.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { connect } from '@mcp/protocol/testing';
 * import { viewsCapability } from '@mcp/views';
 *
 * const server = defineServer({ name: 'notes', version: '1.0.0' });
 * await using client = await connect(server, { extensions: viewsCapability });
 * ```
 */
export const viewsCapability = {
  [viewsExtension.id]: { mimeTypes: [viewMimeType] },
} as const;
