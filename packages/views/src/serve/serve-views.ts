import {
  type Call,
  defineResource,
  ResourceNotFound,
  type ServedExtension,
  serveExtension,
  supportsExtension,
} from '@mcp/protocol';
import { viewMimeType, viewsExtension } from '../extension.ts';
import type { View } from './define-view.ts';

/**
 * Serves views: an element of `extensions` of `defineServer`. A client that supports views finds them in
 * `resources/list` and reads them by their URIs; for others they do not exist. Throws an `Error` for two
 * views with one URI.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function serveViews(views: readonly View[]): ServedExtension<object> {
  const uris = new Set<string>();
  for (const { uri } of views) {
    if (uris.has(uri)) throw new Error(`Two views have the URI "${uri}"`);
    uris.add(uri);
  }
  return serveExtension(viewsExtension, { run: {}, resources: views.map(resourceOf) });
}

function resourceOf({ uri, definition, meta, html }: View) {
  const { name = uri.slice('ui://'.length), title, description, cache } = definition;
  const _meta = Object.keys(meta).length > 0 && { _meta: { ui: meta } };
  const listed = {
    uri,
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    mimeType: viewMimeType,
    ..._meta,
  };
  return defineResource({
    ...listed,
    ...(cache && { cache }),
    async read(_, call: Call) {
      if (!supportsExtension(call, viewsExtension)) throw new ResourceNotFound(uri);
      return { uri, mimeType: viewMimeType, text: await html(), ..._meta };
    },
    list: (call: Call) => (supportsExtension(call, viewsExtension) ? [listed] : []),
  });
}
