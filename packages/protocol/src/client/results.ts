import type {
  Annotations,
  Content,
  Icon,
  ListedResource,
  PromptMessage,
  ResourceContents,
} from '../define/content.ts';
import type { PromptArgument } from '../define/prompt.ts';
import type { JsonObject } from '../jsonrpc/message.ts';

export type Implementation = {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
};

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

export type ListedPrompt = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
};

export type CallToolResult = {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
};

export type ReadResourceResult = {
  readonly contents: readonly ResourceContents[];
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';
  readonly _meta?: JsonObject;
};

export type GetPromptResult = {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject;
};

export type Completion = {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
};

/** What a list holds, by the method that reads it. */
export type Lists = {
  'tools/list': { readonly tools: readonly ListedTool[] };
  'resources/list': { readonly resources: readonly ListedResource[] };
  'resources/templates/list': { readonly resourceTemplates: readonly ListedTemplate[] };
  'prompts/list': { readonly prompts: readonly ListedPrompt[] };
};
