import type { JsonObject } from '../jsonrpc/message.ts';

export type Role = 'user' | 'assistant';

/** Who content is for, how much it matters (0 to 1), and when it last changed (ISO 8601). */
export type Annotations = {
  readonly audience?: readonly Role[];
  readonly priority?: number;
  readonly lastModified?: string;
};

export type Icon = {
  /** An `https:` or `data:` address. */
  readonly src: string;
  readonly mimeType?: string;
  /** For example `48x48`, or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
};

type Extras = { readonly annotations?: Annotations; readonly _meta?: JsonObject };

export type TextContent = Extras & { readonly type: 'text'; readonly text: string };

/** `data` is base64. */
export type ImageContent = Extras & {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
};

/** `data` is base64. */
export type AudioContent = Extras & {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
};

/** A resource the client may read by its URI. */
export type ResourceLink = ListedResource & { readonly type: 'resource_link' };

export type EmbeddedResource = Extras & { readonly type: 'resource'; readonly resource: ResourceContents };

/** One block of a tool's result or a prompt's message, in the newest revision's vocabulary. */
export type Content = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** What a resource holds: text, or bytes as base64 in `blob`. */
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
  /** Bytes, before any encoding. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
};

export type PromptMessage = { readonly role: Role; readonly content: Content };

export function textContent(value: string, extras: Extras = {}): TextContent {
  return { type: 'text', text: value, ...extras };
}

/** An image from its bytes, or from base64 text. */
export function imageContent(data: Uint8Array | string, mimeType: string, extras: Extras = {}): ImageContent {
  return { type: 'image', data: base64(data), mimeType, ...extras };
}

/** Sound from its bytes, or from base64 text. */
export function audioContent(data: Uint8Array | string, mimeType: string, extras: Extras = {}): AudioContent {
  return { type: 'audio', data: base64(data), mimeType, ...extras };
}

export function resourceLink(resource: ListedResource): ResourceLink {
  return { type: 'resource_link', ...resource };
}

export function embeddedResource(resource: ResourceContents, extras: Extras = {}): EmbeddedResource {
  return { type: 'resource', resource, ...extras };
}

/** Text contents of the resource at `uri`. */
export function textResourceContents(uri: string, value: string, mimeType?: string): ResourceContents {
  return { uri, ...(mimeType !== undefined && { mimeType }), text: value };
}

/** Binary contents of the resource at `uri`. */
export function blobResourceContents(uri: string, data: Uint8Array, mimeType?: string): ResourceContents {
  return { uri, ...(mimeType !== undefined && { mimeType }), blob: base64(data) };
}

/** A prompt's message from the user. */
export function userMessage(content: string | Content): PromptMessage {
  return { role: 'user', content: typeof content === 'string' ? textContent(content) : content };
}

/** A prompt's message in the assistant's words. */
export function assistantMessage(content: string | Content): PromptMessage {
  return { role: 'assistant', content: typeof content === 'string' ? textContent(content) : content };
}

function base64(data: Uint8Array | string): string {
  if (typeof data === 'string') return data;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}
