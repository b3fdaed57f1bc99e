import type { ListedTool } from '@mcp/protocol/client';
import { flatKey, uiOf } from '../../view-of-tool.ts';

/** A URI of a view that names its server: `ui://mcp/<server>/<rest of the URI>`. */
const qualified = /^ui:\/\/mcp\/([^/]*)\/(.*)$/su;

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
