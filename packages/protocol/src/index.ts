export { type ClientRootsOptions, readInClientRoots, runInClientRoots } from './define/input/client-roots.ts';
export { requireConfirmation } from './define/input/require-confirmation.ts';
export {
  type Answer,
  acceptedContent,
  elicit,
  elicitUrl,
  type FormRequest,
  InputRequired,
  inputRequired,
  listRoots,
  type RootsRequest,
  sampleModel,
  type SamplingRequest,
  supportsForms,
  type UrlRequest,
} from './define/input/input.ts';
export type {
  Call,
  Completer,
  Completers,
  CompletionCall,
  LogLevel,
  ResourceCall,
  Suggestions,
} from './define/call.ts';
export * from './define/content.ts';
export {
  defineExtension,
  type Extension,
  type ExtensionContract,
  type ExtensionHandlers,
  extensionMeta,
  type ExtensionMethod,
  type ExtensionService,
  extensionSettings,
  notifyExtension,
  type ServedExtension,
  serveExtension,
  supportsExtension,
} from './define/extension.ts';
export { LiveList } from './define/live-list.ts';
export { mount } from './define/mount/mount.ts';
export type { Mountable, MountOptions } from './define/mount/selection.ts';
export type { Mount } from './define/mount/mounted.ts';
export { definePrompt, type Prompt, type PromptDefinition } from './define/prompt.ts';
export {
  defineResource,
  type Resource,
  type ResourceDefinition,
  ResourceNotFound,
  type Stop,
} from './define/resource.ts';
export { defineServer, type Server, type ServerDefinition } from './define/server.ts';
export {
  defineTool,
  jsonResult,
  renameArguments,
  type Tool,
  type ToolAnnotations,
  type ToolDefinition,
  ToolError,
  type ToolResult,
  toolResult,
  withoutStructuredContent,
} from './define/tool.ts';
export type { ToolView } from './define/tool-view.ts';
export type { Caller, CallingClient } from './define/caller.ts';
export type { Observation, ObservedRequest, Observer, Outcome, SentObservation } from './define/observer.ts';
export type { Wrap, WrappedCall } from './define/wrap.ts';
export { UriTemplate } from './define/uri-template.ts';
export { errorCodes, RpcError } from './jsonrpc/error.ts';
export { jsonSchema, type Schema } from './schema/schema.ts';
