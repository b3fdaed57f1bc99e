import { Buffer } from 'node:buffer';
import type { JsonObject } from '../jsonrpc/message.ts';

export type Role = 'user' | 'assistant';

/** The audience of content, its priority (0 to 1), and when it was last modified (ISO 8601). */
export type Annotations = {
  readonly audience?: readonly Role[];
  readonly priority?: number;
  readonly lastModified?: string;
};

/** An image that a host may show beside the name of a server, a tool, a resource or a prompt. */
export type Icon = {
  /** An `https:` or `data:` address. */
  readonly src: string;
  readonly mimeType?: string;
  /** The sizes of the image, for example `48x48`, or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
};

type Extras = { readonly annotations?: Annotations; readonly _meta?: JsonObject };

/** Text as a part of a message. */
export type TextContent = Extras & { readonly type: 'text'; readonly text: string };

/** An image; `data` is its bytes as base64. */
export type ImageContent = Extras & {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
};

/** Audio; `data` is its bytes as base64. */
export type AudioContent = Extras & {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
};

/** A link to a resource, which the client may read by its URI. */
export type ResourceLink = ListedResource & { readonly type: 'resource_link' };

/** A resource as a part of a message, with its content. */
export type EmbeddedResource = Extras & { readonly type: 'resource'; readonly resource: ResourceContents };

/** One block of a tool's result or a prompt's message, in the form of the newest revision. */
export type Content = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** The contents of a resource: text, or bytes as base64 in `blob`. */
export type ResourceContents = {
  readonly uri: string;
  readonly mimeType?: string;
  readonly _meta?: JsonObject;
} & ({ readonly text: string } | { readonly blob: string });

/** A resource as `resources/list` shows it. */
export type ListedResource = Extras & {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** The size in bytes, before any encoding. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
};

/** One message of a prompt. */
export type PromptMessage = { readonly role: Role; readonly content: Content };

/**
 * A text block.
 * @example
 * ```ts
 * import { textContent } from '@mcp/protocol';
 *
 * textContent('For the user only', { annotations: { audience: ['user'] } });
 * ```
 */
export function textContent(value: string, extras: Extras = {}): TextContent {
  return { type: 'text', text: value, ...extras };
}

/**
 * An image from its bytes, or from base64 text.
 * @example
 * ```ts
 * import { imageContent } from '@mcp/protocol';
 *
 * imageContent(new Uint8Array([137, 80, 78, 71]), 'image/png');
 * ```
 */
export function imageContent(data: Uint8Array | string, mimeType: string, extras: Extras = {}): ImageContent {
  return { type: 'image', data: base64(data), mimeType, ...extras };
}

/**
 * Audio from its bytes, or from base64 text.
 * @example
 * ```ts
 * import { audioContent } from '@mcp/protocol';
 *
 * audioContent('UklGRg==', 'audio/wav');
 * ```
 */
export function audioContent(data: Uint8Array | string, mimeType: string, extras: Extras = {}): AudioContent {
  return { type: 'audio', data: base64(data), mimeType, ...extras };
}

/**
 * A link to a resource, which the client can read later.
 * @example
 * ```ts
 * import { resourceLink } from '@mcp/protocol';
 *
 * resourceLink({ uri: 'file:///report.pdf', name: 'report.pdf', mimeType: 'application/pdf' });
 * ```
 */
export function resourceLink(resource: ListedResource): ResourceLink {
  return { type: 'resource_link', ...resource };
}

/**
 * A resource with its contents.
 * @example
 * ```ts
 * import { embeddedResource, textResourceContents } from '@mcp/protocol';
 *
 * embeddedResource(textResourceContents('note:///a', 'Buy milk', 'text/plain'));
 * ```
 */
export function embeddedResource(resource: ResourceContents, extras: Extras = {}): EmbeddedResource {
  return { type: 'resource', resource, ...extras };
}

/**
 * Text contents of the resource at `uri`.
 * @example
 * ```ts
 * import { textResourceContents } from '@mcp/protocol';
 *
 * textResourceContents('note:///a', 'Buy milk', 'text/plain');
 * ```
 */
export function textResourceContents(uri: string, value: string, mimeType?: string): ResourceContents {
  return { uri, ...(mimeType !== undefined && { mimeType }), text: value };
}

/**
 * Binary contents of the resource at `uri`.
 * @example
 * ```ts
 * import { blobResourceContents } from '@mcp/protocol';
 *
 * blobResourceContents('file:///a.bin', new Uint8Array([1, 2, 3]), 'application/octet-stream');
 * ```
 */
export function blobResourceContents(uri: string, data: Uint8Array, mimeType?: string): ResourceContents {
  return { uri, ...(mimeType !== undefined && { mimeType }), blob: base64(data) };
}

/**
 * A prompt's message from the user.
 * @example
 * ```ts
 * import { userMessage } from '@mcp/protocol';
 *
 * userMessage('Summarize this.');
 * ```
 */
export function userMessage(content: string | Content): PromptMessage {
  return { role: 'user', content: typeof content === 'string' ? textContent(content) : content };
}

/**
 * A prompt's message from the assistant.
 * @example
 * ```ts
 * import { assistantMessage } from '@mcp/protocol';
 *
 * assistantMessage('Which part of it?');
 * ```
 */
export function assistantMessage(content: string | Content): PromptMessage {
  return { role: 'assistant', content: typeof content === 'string' ? textContent(content) : content };
}

function base64(data: Uint8Array | string): string {
  if (typeof data === 'string') return data;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}
