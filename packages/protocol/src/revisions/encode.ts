import { Buffer } from 'node:buffer';
import { isObject } from '@mcp/kit';
import type { Content, ListedResource } from '../define/content.ts';
import type { Prompt } from '../define/prompt.ts';
import type { Resource } from '../define/resource.ts';
import type { Tool } from '../define/tool.ts';
import type { JsonObject } from '../jsonrpc/message.ts';
import type { KeyedKind, Revision } from './revision.ts';

/** The members of `source` that objects of this kind have in this revision. Undefined members are omitted. */
export function pick(revision: Revision, kind: KeyedKind, source: object): JsonObject {
  const picked: JsonObject = {};
  for (const key of revision.keys[kind]) {
    const value = (source as JsonObject)[key];
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}

export function encodeTool(revision: Revision, tool: Tool<object>): JsonObject {
  const { definition, inputJson, outputJson } = tool;
  const { annotations } = definition;
  return pick(revision, 'tool', {
    ...definition,
    inputSchema: inputJson,
    outputSchema: outputJson && encodeOutputSchema(revision, outputJson),
    annotations: annotations && {
      title: annotations.title,
      readOnlyHint: annotations.readOnlyHint,
      destructiveHint: annotations.destructiveHint,
      idempotentHint: annotations.idempotentHint,
      openWorldHint: annotations.openWorldHint,
    },
  });
}

// Before revision 2026-07-28, structured content must be an object: any other value is sent as the member
// `result` of an object.
export function encodeOutputSchema(revision: Revision, json: JsonObject): JsonObject {
  if (revision.structuredContent === 'any' || json['type'] === 'object') return json;
  const { $defs, $schema, ...result } = json;
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { result: referTo('#/properties/result', result) },
    required: ['result'],
    ...($defs !== undefined && { $defs: referTo('#/properties/result', $defs) }),
  };
}

// Corrects the references in a schema that was moved into another schema, to the path `root`: `#/x` becomes
// `<root>/x`. References to `#/$defs` stay, because the `$defs` were moved to the outer schema.
function referTo(root: string, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => referTo(root, item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => {
    const moved = key === '$ref' && typeof value === 'string' && /^#(?!\/\$defs\/|[^/])/.test(value);
    return [key, moved ? root + value.slice(1) : referTo(root, value)];
  });
  return Object.fromEntries(entries);
}

/** A structured value in the form of this revision; undefined if the revision has no structured content. */
export function encodeStructured(
  revision: Revision,
  value: unknown,
  outputJson: JsonObject | undefined,
): unknown {
  if (revision.structuredContent === 'none') return undefined;
  if (revision.structuredContent === 'any') return value;
  // The output schema that the client got decides whether the value is wrapped, so that the value matches it.
  const asIs = outputJson ? outputJson['type'] === 'object' : isObject(value);
  return asIs ? value : { result: value };
}

/** Encodes a content block; if this revision does not have the block's type, as a text that describes it. */
export function encodeContent(revision: Revision, content: Content): JsonObject {
  if (content.type === 'resource_link') {
    if (revision.contentTypes.has('resource_link')) {
      return { type: 'resource_link', ...encodeResource(revision, content) };
    }
    return {
      type: 'text',
      text: `${content.title ?? content.name} ${content.uri}`,
      ...annotated(revision, content),
    };
  }
  if (!revision.contentTypes.has(content.type)) {
    return { type: 'text', text: describeMedia(content), ...annotated(revision, content) };
  }
  if (content.type === 'text' && content.annotations === undefined && content._meta === undefined)
    return content;
  const encoded = { ...pick(revision, 'content', content), ...annotated(revision, content) };
  return content.type === 'resource'
    ? { ...encoded, resource: pick(revision, 'contents', content.resource) }
    : encoded;
}

function annotated(revision: Revision, { annotations }: Pick<Content, 'annotations'>): JsonObject {
  return annotations ? { annotations: pick(revision, 'annotations', annotations) } : {};
}

function describeMedia(content: Content): string {
  if (content.type !== 'audio') return `[${content.type}]`;
  const bytes = Buffer.byteLength(content.data, 'base64');
  return `[audio, ${content.mimeType}, ${bytes} bytes: not part of this protocol version]`;
}

export function encodeResource(revision: Revision, resource: ListedResource): JsonObject {
  return { ...pick(revision, 'resource', resource), ...annotated(revision, resource) };
}

export function encodeTemplate(revision: Revision, { uri, definition }: Resource<object>): JsonObject {
  const { annotations } = definition;
  return pick(revision, 'template', {
    ...definition,
    uriTemplate: uri,
    annotations: annotations && pick(revision, 'annotations', annotations),
  });
}

export function encodePrompt(revision: Revision, prompt: Prompt<object>): JsonObject {
  const { definition } = prompt;
  const promptArguments = prompt.arguments.map((argument) => pick(revision, 'promptArgument', argument));
  return pick(revision, 'prompt', {
    ...definition,
    arguments: promptArguments.length > 0 ? promptArguments : undefined,
  });
}
