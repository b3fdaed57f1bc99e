// Views that a server serves.
export { defineView, type View, type ViewDefinition } from './serve/define-view.ts';
export { serveViews } from './serve/serve-views.ts';
export { type ToolVisibility, visibleTo } from './serve/visible-to.ts';
export type { ViewCsp, ViewPermission, ViewSettings } from './serve/view-meta.ts';

// What servers and clients have in common.
export { cspLists, isViewOrigin } from './serve/view-meta.ts';
export { viewMimeType, viewsCapability, viewsExtension } from './extension.ts';
