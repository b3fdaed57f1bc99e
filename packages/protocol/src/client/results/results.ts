import type {
  Annotations,
  Content,
  Icon,
  ListedResource,
  PromptMessage,
  ResourceContents,
} from '../../define/content.ts';
import type { PromptArgument } from '../../define/prompt.ts';
import type { TaskStatus } from '../../define/task-manager.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';

export type { TaskStatus };
export type { Implementation } from '../../define/implementation.ts';

/** A tool in `tools/list`. Its schemas are JSON Schema. */
export type ListedTool = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
};

/** A template in `resources/templates/list`. */
export type ListedTemplate = {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
};

/** A prompt in `prompts/list`. */
export type ListedPrompt = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
};

/** The result of `tools/call`. */
export type CallToolResult = {
  /** The text, images and resources, for the model. */
  readonly content: readonly Content[];
  /** The value that matches the `outputSchema` of the tool, for programs. */
  readonly structuredContent?: unknown;
  /** Whether the tool has failed; `content` then says why. */
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
};

/** The result of `resources/read`. */
export type ReadResourceResult = {
  readonly contents: readonly ResourceContents[];
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';
  readonly _meta?: JsonObject;
};

/** The result of `prompts/get`. */
export type GetPromptResult = {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject;
};

/** Suggestions for an argument, the best first. */
export type Completion = {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
};

/** The result of `server/discover`, in which a server describes itself. */
export type Discovery = {
  readonly supportedVersions?: readonly string[];
  readonly capabilities: JsonObject;
  readonly instructions?: string;
  readonly _meta?: JsonObject;
};

/** The result of `initialize`, in revisions up to 2025-11-25. */
export type InitializeResult = {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly serverInfo?: unknown;
  readonly instructions?: string;
};

/** A task as `tasks/get` returns it. */
export type TaskState = {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly pollIntervalMs?: number;
  readonly inputRequests?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

/** One page of a list, and for how long it may be cached. */
export type Page<Items> = Items & {
  readonly nextCursor?: string;
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';
};

/** The results that are validated, by the method. */
export type Results = {
  'server/discover': Discovery;
  initialize: InitializeResult;
  'tools/list': Page<{ readonly tools: readonly ListedTool[] }>;
  'resources/list': Page<{ readonly resources: readonly ListedResource[] }>;
  'resources/templates/list': Page<{ readonly resourceTemplates: readonly ListedTemplate[] }>;
  'prompts/list': Page<{ readonly prompts: readonly ListedPrompt[] }>;
  'tools/call': CallToolResult;
  'resources/read': ReadResourceResult;
  'prompts/get': GetPromptResult;
  'completion/complete': { readonly completion: Completion };
  'tasks/get': TaskState;
};
