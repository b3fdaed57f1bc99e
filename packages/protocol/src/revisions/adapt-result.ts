import { isObject } from '@mcp/kit';
import type { Content, ListedResource, PromptMessage, ResourceContents } from '../define/content.ts';
import { type JsonObject } from '../jsonrpc/message.ts';
import { encodeContent, encodeOutputSchema, encodeStructured, pick } from './encode.ts';
import type { KeyedKind, Revision } from './revision.ts';
import { latestLegacy } from './table.ts';

/** A result in the form in which a server of `revision` has sent it. */
export interface ForeignResult {
  readonly method: string;
  readonly result: JsonObject;
  readonly revision: Revision;
  /** The `outputSchema` of the called tool. */
  readonly outputSchema?: JsonObject | undefined;
}

/** The methods whose results must say for how long clients may cache them. */
const cacheable = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
]);

/** For each method that returns a list: the member with the items, and their kind. */
const lists: { readonly [method: string]: readonly [key: string, kind: KeyedKind] | undefined } = {
  'tools/list': ['tools', 'tool'],
  'resources/list': ['resources', 'resource'],
  'resources/templates/list': ['resourceTemplates', 'template'],
  'prompts/list': ['prompts', 'prompt'],
};

/**
 * Converts a server's result into the form of `revision`; returns the same object if it needs no conversion.
 * If `revision` is stateless and the server's is not, adds the `_meta` that `meta` returns.
 */
export function adaptResult(revision: Revision, foreign: ForeignResult, meta: () => JsonObject): JsonObject {
  const { method, result } = foreign;
  if (revision.stateless) return foreign.revision.stateless ? result : stateless(method, result, meta());
  const legacy = foreign.revision.stateless ? withoutType(result) : result;
  return convert(revision, foreign, legacy);
}

function stateless(method: string, result: JsonObject, meta: JsonObject): JsonObject {
  const own = result['_meta'];
  return {
    resultType: 'complete',
    ...result,
    ...(cacheable.has(method) && result['ttlMs'] === undefined && { ttlMs: 0, cacheScope: 'private' }),
    _meta: { ...meta, ...(isObject(own) && own) },
  };
}

function withoutType(result: JsonObject): JsonObject {
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...legacy } = result;
  return legacy;
}

function convert(revision: Revision, foreign: ForeignResult, result: JsonObject): JsonObject {
  const { method } = foreign;
  const list = lists[method];
  if (list)
    return {
      ...result,
      [list[0]]: itemsOf(result[list[0]]).map((item) => convertItem(revision, list[1], item)),
    };
  if (method === 'tools/call') return convertToolResult(revision, foreign, result);
  // `latestLegacy`, the newest with a handshake, has every type of content: nothing to convert.
  if (revision === latestLegacy) return result;
  if (method === 'prompts/get') {
    const messages = itemsOf(result['messages']).map((message) =>
      convertMessage(revision, message as PromptMessage),
    );
    return { ...result, messages };
  }
  if (method === 'resources/read') {
    const contents = itemsOf(result['contents']) as readonly (JsonObject & ResourceContents)[];
    return { ...result, contents: contents.map((part) => pick(revision, 'contents', part)) };
  }
  return result;
}

function convertItem(revision: Revision, kind: KeyedKind, item: JsonObject): JsonObject {
  const { outputSchema } = item;
  const wrapped = isObject(outputSchema)
    ? { ...item, outputSchema: encodeOutputSchema(revision, outputSchema) }
    : item;
  if (revision === latestLegacy) return wrapped;
  const picked = pick(revision, kind, wrapped);
  const { annotations } = item;
  if (kind === 'tool' || !isObject(annotations)) return picked;
  return { ...picked, annotations: pick(revision, 'annotations', annotations) };
}

function convertToolResult(
  revision: Revision,
  { outputSchema, revision: from }: ForeignResult,
  result: JsonObject,
): JsonObject {
  const { structuredContent } = result;
  const structured =
    structuredContent !== undefined && (from.stateless || revision.structuredContent === 'none')
      ? encodeStructured(revision, structuredContent, outputSchema)
      : structuredContent;
  const converted = structured === structuredContent ? result : { ...result, structuredContent: structured };
  if (revision === latestLegacy || !Array.isArray(result['content'])) return converted;
  const content = itemsOf(result['content']).map((block) => convertBlock(revision, block));
  return { ...converted, content };
}

function convertMessage(revision: Revision, message: PromptMessage): JsonObject {
  return { ...message, content: convertBlock(revision, message.content as JsonObject & Content) };
}

// A block of a type that no revision has is passed on unchanged, because the client may know the type.
function convertBlock(revision: Revision, block: JsonObject): JsonObject {
  return known.has(block['type'])
    ? encodeContent(revision, block as JsonObject & Content & ListedResource)
    : block;
}

const known = new Set<unknown>(latestLegacy.contentTypes);

function itemsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
