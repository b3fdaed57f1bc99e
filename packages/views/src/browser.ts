// The side of a view: a page in a frame, which talks to its host by `postMessage`.
export { connectView } from './browser/connect-view.ts';
export type { ViewOptions } from './browser/view-options.ts';
export type { Host, LogLevel, MessageContent, RequestOptions } from './browser/host.ts';
export { Conversation, HostError, type Receiver } from './browser/conversation.ts';
export type { DisplayMode, HostContext, Theme } from './browser/host-context.ts';
export { type ViewTool, viewTools, type ViewTools, type ViewToolValue } from './browser/view-tools.ts';
export type { JsonObject } from './model/json-object.ts';
export type { MessageWindow, PageElement, ViewWindow, WindowMessage } from './browser/view-window.ts';
