import { isObject } from '@mcp/kit';
import type { ListedTool } from '@mcp/protocol/client';

export function isViewUri(uri: string): boolean {
  return uri.startsWith('ui://');
}

/** The member of `_meta` that has the URI of a view in the tools of older libraries; hosts read it still. */
export const flatKey = 'ui/resourceUri';

/** The URI of the view of a tool; undefined if it has none. */
export function viewUriOf({ _meta }: Pick<ListedTool, '_meta'>): string | undefined {
  const uri = uiOf(_meta)['resourceUri'] ?? _meta?.[flatKey];
  return typeof uri === 'string' && isViewUri(uri) ? uri : undefined;
}

/** Whether views may call a tool: `model`, `app`, or by default both see it. */
export function isForViews({ _meta }: Pick<ListedTool, '_meta'>): boolean {
  const { visibility } = uiOf(_meta);
  return !Array.isArray(visibility) || visibility.includes('app');
}

/** The settings of views in the `_meta` of a tool, of a resource or of its content. */
export function uiOf(meta: ListedTool['_meta']): { readonly [name: string]: unknown } {
  const ui = meta?.['ui'];
  return isObject(ui) ? ui : {};
}
