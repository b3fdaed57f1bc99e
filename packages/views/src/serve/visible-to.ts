import type { ToolView } from '@mcp/protocol';
import { viewsExtension } from '../extension.ts';
import type { View } from './define-view.ts';

/** What may call a tool: the model, or views of the same server. */
export type ToolVisibility = 'model' | 'app';

/**
 * Makes the `view` of a tool that only the model may call (`['model']`) or only views (`['app']`). A tool for
 * views alone, such as one that a view refreshes itself by, does not exist for clients without views. `view`
 * is what the host shows with its results. Default: none. Throws an `Error` for an empty array.
 * @example
 * ```ts
 * import { defineTool } from '@mcp/protocol';
 * import { visibleTo } from '@mcp/views';
 *
 * export const refresh = defineTool({
 *   name: 'refresh',
 *   description: 'Returns the current numbers to the view.',
 *   view: visibleTo(['app']),
 *   run: () => '42',
 * });
 * ```
 */
export function visibleTo(visibility: readonly ToolVisibility[], view?: View): ToolView {
  if (
    !Array.isArray(visibility) ||
    !visibility.length ||
    visibility.some((each) => each !== 'model' && each !== 'app')
  )
    throw new Error(`Invalid visibility: ${JSON.stringify(visibility)}; expected "model", "app", or both`);
  return {
    extension: viewsExtension,
    uri: view?.uri,
    toolMeta: { ui: { ...(view && { resourceUri: view.uri }), visibility } },
    isOnlyForViews: !visibility.includes('model'),
  };
}
