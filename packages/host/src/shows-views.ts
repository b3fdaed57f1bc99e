import { isObject } from '@mcp/kit';

/** The extension for views that a host shows: MCP Apps, SEP-1865. */
export const viewsExtension = 'io.modelcontextprotocol/ui';

/** The type of the views that a host must show to get any. */
const viewType = 'text/html;profile=mcp-app';

/** Whether a client with these capabilities shows views. */
export function showsViews({ extensions }: { readonly [name: string]: unknown }): boolean {
  const settings = isObject(extensions) ? extensions[viewsExtension] : undefined;
  const { mimeTypes } = isObject(settings) ? settings : {};
  return Array.isArray(mimeTypes) && mimeTypes.includes(viewType);
}
