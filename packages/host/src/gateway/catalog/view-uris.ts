import { isObject } from '@mcp/kit';
import type { ListedTool } from '@mcp/protocol/client';

/** A URI of a view that names its server: `ui://mcp/<server>/<rest of the URI>`. */
const qualified = /^ui:\/\/mcp\/([^/]*)\/(.*)$/su;

export function isViewUri(uri: string): boolean {
  return uri.startsWith('ui://');
}

/**
 * Whether a URI has the form of one that names its server. A server could give this form to a view of its
 * own, to be read in place of the view of another server.
 */
export function isQualified(uri: string): boolean {
  return qualified.test(uri);
}

/** The name of a server as a part of a URI. */
export function nameInUri(server: string): string {
  // A lone surrogate cannot be encoded.
  return encodeURIComponent(server.toWellFormed());
}

/** The URI of a view that names its server. It begins with `ui://`, because hosts show no other URI. */
export function qualifiedViewUri(server: string, uri: string): string {
  return `ui://mcp/${nameInUri(server)}/${uri.slice('ui://'.length)}`;
}

/** The server that a URI of a view names, percent-encoded, and the URI as that server knows it. */
export function parseViewUri(uri: string): { readonly server: string; readonly uri: string } | undefined {
  const [, server, rest] = qualified.exec(uri) ?? [];
  return server === undefined ? undefined : { server, uri: `ui://${rest}` };
}

/** The member of `_meta` that has the URI of a view in the tools of older libraries; hosts read it still. */
const flatKey = 'ui/resourceUri';

/** The URI of the view of a tool; undefined if it has none. */
export function viewUriOf({ _meta }: ListedTool): string | undefined {
  const uri = uiOf(_meta)['resourceUri'] ?? _meta?.[flatKey];
  return typeof uri === 'string' && isViewUri(uri) ? uri : undefined;
}

/** The tool with another URI of its view. */
export function withViewUri<T extends ListedTool>(tool: T, uri: string): T {
  const { _meta = {} } = tool;
  const ui = uiOf(_meta);
  const nested = 'resourceUri' in ui && { ui: { ...ui, resourceUri: uri } };
  return { ...tool, _meta: { ..._meta, ...nested, ...(flatKey in _meta && { [flatKey]: uri }) } };
}

/** Whether the model may call a tool, and whether views may. By default, both may. */
export function mayCall(who: 'model' | 'app', { _meta }: Pick<ListedTool, '_meta'>): boolean {
  const { visibility } = uiOf(_meta);
  return !Array.isArray(visibility) || visibility.includes(who);
}

function uiOf(meta: ListedTool['_meta']): { readonly [name: string]: unknown } {
  const ui = meta?.['ui'];
  return isObject(ui) ? ui : {};
}
