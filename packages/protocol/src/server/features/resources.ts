import {
  blobResourceContents,
  type ListedResource,
  type ResourceContents,
  textResourceContents,
} from '../../define/content.ts';
import { type Resource, ResourceNotFound, type ResourceValue } from '../../define/resource.ts';
import type { UriValues } from '../../define/uri-template.ts';
import { invalidParams, RpcError } from '../../jsonrpc/error.ts';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { encodeContents, encodeResource, encodeTemplate } from '../../revisions/encode.ts';
import type { Revision } from '../../revisions/revision.ts';
import type { ActiveCall } from '../call/active-call.ts';
import { answer, type Handler } from './run-handler.ts';
import { pageOf } from './pagination.ts';
import { stringParam } from '../call/params.ts';
import { alwaysAsk, complete, type Result, sameForAll } from '../call/result.ts';
import type { Runtime } from '../runtime.ts';

export async function listResources(
  runtime: Runtime,
  call: ActiveCall,
  { cursor }: JsonObject,
): Promise<Result> {
  const listed: ListedResource[] = [];
  for (const { uri, template, definition } of runtime.resources) {
    if (!template) {
      listed.push({ ...definition, uri });
    } else if (definition.list) {
      for await (const resource of await definition.list(call.context, call)) listed.push(resource);
    }
  }
  const { items, nextCursor } = pageOf('resources', listed, ({ uri }) => uri, cursor, runtime.pageSize);
  const resources = items.map((resource) => encodeResource(call.revision, resource));
  return complete({ resources, ...(nextCursor !== undefined && { nextCursor }) }, alwaysAsk);
}

export function listTemplates(runtime: Runtime, { revision }: ActiveCall, { cursor }: JsonObject): Result {
  const { items, nextCursor } = pageOf(
    'templates',
    runtime.templates,
    ({ uri }) => uri,
    cursor,
    runtime.pageSize,
  );
  const resourceTemplates = items.map((template) => encodeTemplate(revision, template));
  return complete({ resourceTemplates, ...(nextCursor !== undefined && { nextCursor }) }, sameForAll);
}

export async function readResource(runtime: Runtime, call: ActiveCall, params: JsonObject): Promise<Result> {
  const uri = uriParam(params);
  const found = runtime.resource(uri);
  if (!found) throw notFound(call.revision, uri);
  try {
    call.uri = uri;
    const subject = { resource: found.resource, variables: found.variables, uri };
    return await answer(runtime, call, 'resources/read', params, handler, subject);
  } catch (error) {
    if (error instanceof ResourceNotFound) throw notFound(call.revision, error.uri, error.message);
    throw error;
  }
}

/** The `uri` of a request; only its form is checked here. */
export function uriParam(params: JsonObject): string {
  const uri = stringParam(params, 'uri');
  // RFC 3986: a scheme, then neither spaces nor control characters.
  if (/^[a-z][a-z0-9+.-]*:[^\s\p{Cc}]*$/iu.test(uri)) return uri;
  throw new RpcError(invalidParams, `Not a URI: ${JSON.stringify(uri)}`, { uri });
}

export function notFound(revision: Revision, uri: string, message = `No such resource: "${uri}"`): RpcError {
  return new RpcError(revision.resourceNotFound, message, { uri });
}

const handler: Handler<
  { readonly resource: Resource<object>; readonly variables: UriValues; readonly uri: string },
  ResourceValue
> = {
  run: ({ resource, variables }, call) => resource.definition.read(variables, call.context, call),
  encode: ({ resource, uri }, call, value) => encodeValue(call, resource, uri, value),
};

function encodeValue(
  { revision }: ActiveCall,
  { definition }: Resource<object>,
  uri: string,
  value: ResourceValue,
): Result {
  const { mimeType, cache = alwaysAsk } = definition;
  const contents = contentsOf(uri, mimeType, value);
  return complete({ contents: contents.map((part) => encodeContents(revision, part)) }, cache);
}

function contentsOf(
  uri: string,
  mimeType: string | undefined,
  value: ResourceValue,
): readonly ResourceContents[] {
  if (typeof value === 'string') return [textResourceContents(uri, value, mimeType)];
  if (value instanceof Uint8Array) return [blobResourceContents(uri, value, mimeType)];
  return Array.isArray(value) ? value : [value as ResourceContents];
}
