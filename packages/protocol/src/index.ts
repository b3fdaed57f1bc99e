export { confirm } from './define/confirm.ts';
export {
  accepted,
  elicit,
  elicitUrl,
  type InputRequired,
  inputRequired,
  listRoots,
  sample,
  showsForms,
} from './define/input.ts';
export type { Completer, Completers, Suggestions } from './define/completion.ts';
export type { Call, LogLevel } from './define/call.ts';
export * from './define/content.ts';
export { LiveList } from './define/live-list.ts';
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
  type Tool,
  type ToolDefinition,
  ToolError,
  type ToolHints,
  type ToolResult,
  toolResult,
} from './define/tool.ts';
export { UriTemplate } from './define/uri-template.ts';
export { RpcError } from './jsonrpc/error.ts';
export { jsonSchema, type Schema } from './schema/schema.ts';
